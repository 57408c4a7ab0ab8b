import { promisify } from 'node:util'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { greetingOf } from './mailer.js'
import { parseSender } from './addresses.js'
import { explain, serverOptions } from './smtp-login.js'
import type { SmtpUrl } from './smtp-url.js'

/** The name of a step that is no login. */
const SENDER = 'SENDER'

/** Less than the caller's signal usually allows for all. */
const GREETING_MS = 7000

/** The step that failed. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'

  constructor (readonly step: 'connect' | 'login' | 'sender', cause: Error) {
    super(cause.message, { cause })
  }
}

/**
 * Does at the mail server what every mail does first: connection, TLS, login, and the sender, which is taken back. No
 * mail is sent.
 *
 * @param signal ends it, also the connection of a server that does not answer to QUIT
 * @throws {CheckFailed} with the server's words
 */
export async function checkServer (server: SmtpUrl, { from, publicOrigin, signal }: {
  from: string
  publicOrigin: string | undefined
  signal: AbortSignal
}): Promise<void> {
  const { auth, customAuth, ...options } = serverOptions(server)
  const { address = from } = parseSender(from) ?? {}
  const greeting = greetingOf(publicOrigin)
  const connection = new SMTPConnection({
    ...options,
    ...greeting && { name: greeting },
    // Shorter than the signal, so that the error says that the greeting is missing. The end waits for no server.
    greetingTimeout: GREETING_MS,
    socketCloseTimeout: 0,
    customAuth: {
      ...customAuth,
      // Nodemailer sends a command of the caller's only as a part of a login.
      async [SENDER] ({ sendCommand }) {
        const { status } = await sendCommand(`MAIL FROM:<${address}>`)
        if (status !== 250) throw new Error(`the mail server refuses the sender ${address}`)
        await sendCommand('RSET')
      }
    }
  })
  const broken = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject)
    signal.addEventListener('abort', () => {
      reject(new Error('no answer in time'))
      connection.close()
    }, { once: true })
  })
  const take = async (step: CheckFailed['step'], begin: (done: Done) => void): Promise<void> => {
    await Promise.race([promisify(begin)(), broken])
      .catch((error: Error) => { throw new CheckFailed(step, explain(error, server)) })
  }
  try {
    await take('connect', done => connection.connect(done))
    if (auth) await take('login', done => connection.login({ ...auth, credentials: auth }, done))
    await take('sender', done => connection.login({ user: '', method: SENDER }, done))
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}

type Done = (error?: Error | null) => void

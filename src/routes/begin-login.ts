import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { recordLogin } from '../auth/login-records.js'
import { beginSession, newSession, type Session } from '../auth/sessions.js'
import type { Claims } from '../auth/tokens.js'
import { BasicData, basicData, exampleUser } from '../auth/user-fields.js'
import { watchOwnTrouble } from '../database/own-trouble.js'
import { succeeded } from './success.js'

/** The answer to a login, and to a refresh. */
export const UserWithToken = Type.Object({ ...BasicData.properties, token: Type.String() })

export const exampleLogin = succeeded({ ...exampleUser, token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl' })

/** What is read of a user who has proved who they are. */
type LoggedIn = Parameters<typeof basicData>[0] & Parameters<FastifyInstance['issueToken']>[0]

type LoginAnswer = ReturnType<typeof succeeded<Static<typeof UserWithToken>>>

type BeginLogin = (
  request: FastifyRequest, user: LoggedIn, amr?: Claims['amr']
) => Promise<LoginAnswer>

/**
 * Session → token, for whoever has proved who they are, by a password or at a provider.
 *
 * @returns a function that returns the answer to a login
 */
export function createLogins (app: FastifyInstance, { sessionHours }: { sessionHours: number }): BeginLogin {
  const { sessions } = app.metrics

  const trouble = watchOwnTrouble(() => app.states.database.value === 'reachable', (error) => {
    if (!error) return
    const details = { code: 'known_addresses_unavailable', err: error }
    app.log.warn(details, 'logins succeed without a session and last an hour, or their address does not become known')
  })

  /**
   * A login also succeeds if its address or its session cannot be written. The address does not become known then, or
   * the token, which belongs to no session, cannot be refreshed.
   */
  async function remember (user: LoggedIn, client: string, userAgent?: string): Promise<Session | undefined> {
    const session = sessionHours > 0 ? newSession() : undefined
    const [remembered, begun] = await Promise.allSettled([
      recordLogin(app.db, user, client).catch(unwritten('known_addresses')),
      session && beginSession(app.db, user, session, { client, userAgent }).catch(unwritten('sessions'))
    ])
    const failed = [begun, remembered].find(write => write.status === 'rejected')
    if (failed) trouble.failed(failed.reason)
    else trouble.succeeded()
    if (begun.status === 'rejected') return undefined
    if (session) sessions.inc({ event: 'begun' })
    if (begun.value) sessions.inc({ event: 'replaced' }, begun.value)
    return session
  }

  /** An error such as a timeout does not say what was written. */
  const unwritten = (table: string) => (cause: Error): never => {
    throw new Error(`the table ${table} cannot be written: ${cause.message}`, { cause })
  }

  return async (request, user, amr) => {
    const session = await remember(user, request.client!.key, request.headers['user-agent'])
    return succeeded({ ...basicData(user), token: app.issueToken(user, session, amr) })
  }
}

import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { RunningServer } from '../fixtures/process.js'
import { until } from '../fixtures/until.js'
import { createConversation, type Conversation } from './conversation.js'
import { judge } from './judge.js'

/** The service closes a connection at once after its client has; this is for a busy machine. */
const STUCK_AFTER_MS = 30_000
const AT_ONCE = 100

/** A loopback address for each conversation, so that no conversation is stopped by a limit. */
export const peerOf = (n: number): string => `127.${1 + ((n >> 16) & 127)}.${(n >> 8) & 255}.${n & 255}`

/**
 * Runs many conversations with a server process in parallel, and then checks that the server is healthy.
 *
 * @returns what was found, with the seed that reproduces it
 */
export async function fuzz (
  server: RunningServer, { seed, count }: { seed: number, count: number }
): Promise<string[]> {
  const findings: string[] = []
  const underWay = new Set<number>()
  const atOnce = pLimit(AT_ONCE)
  let ended = false
  const opsSockets = await countSockets(server)

  await Promise.all(Array.from({ length: count }, (_, i) => atOnce(async () => {
    if (ended) return
    underWay.add(seed + i)
    const conversation = createConversation(seed + i)
    const { received, refused, stuck } = await converse(conversation, server, i)
    if (refused && !await isAlive(server)) {
      if (!ended) findings.push(`the process has ended, during one of FUZZ_SEED=${[...underWay].join()}`)
      ended = true
    }
    const fault = ended
      ? undefined
      : stuck ? 'the connection does not end' : judge(received, conversation)
    if (fault !== undefined) findings.push(`FUZZ_SEED=${conversation.seed} ${conversation.listener}: ${fault}`)
    underWay.delete(seed + i)
  })))

  if (!ended) findings.push(...await lookAfterwards(server, opsSockets))
  const range = `FUZZ_SEED=${seed}, ${count} conversations`
  for (const line of server.logs.splice(0)) {
    if (Number(line.level) >= 50) findings.push(`${range}: logged ${JSON.stringify(line)}`)
  }
  return findings
}

async function lookAfterwards (server: RunningServer, socketsBefore: number): Promise<string[]> {
  const findings: string[] = []
  if (!await isAlive(server)) findings.push('/livez does not answer')
  const login = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ username: 'admin', password: 'gatehouse-admin' })
  }).then(({ status }) => status, String)
  // A client has five logins at once, and then one a minute.
  if (login !== 200 && login !== 429) findings.push(`a normal login gets ${login}`)
  await until(async () => await countSockets(server) <= socketsBefore, 'every socket is closed', STUCK_AFTER_MS)
    .catch((error: Error) => findings.push(String(error)))
  return findings
}

/** Open sockets of the server process, the one that asks included. */
async function countSockets ({ opsUrl }: RunningServer): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`, { headers: { connection: 'close' } })).text()
  return Number(/^nodejs_active_resources\{type="TCPSocketWrap"\} (\d+)/m.exec(metrics)?.[1] ?? 0)
}

const isAlive = ({ opsUrl }: RunningServer): Promise<boolean> =>
  fetch(`${opsUrl}/livez`, {
    headers: { connection: 'close' }, signal: AbortSignal.timeout(STUCK_AFTER_MS)
  }).then(({ ok }) => ok, () => false)

async function converse (
  { listener, steps }: Conversation, { url, opsUrl }: RunningServer, n: number
): Promise<{ received: string, refused: boolean, stuck: boolean }> {
  const port = Number(new URL(listener === 'app' ? url : opsUrl).port)
  const socket = connect({ host: '127.0.0.1', port, localAddress: peerOf(n), noDelay: true, allowHalfOpen: true })
  let received = ''
  let refused = false
  socket.on('error', (error: NodeJS.ErrnoException) => { refused ||= error.code === 'ECONNREFUSED' })
  socket.on('data', (chunk: Buffer) => { received += chunk.toString('latin1') })
  const closed = new Promise<void>((resolve) => { socket.once('close', () => resolve()) })
  await Promise.race([new Promise((resolve) => { socket.once('connect', resolve) }), closed])
  for (const step of steps) {
    if (socket.destroyed) break
    if ('send' in step) socket.writable && socket.write(step.send)
    else if ('pauseMs' in step) await Promise.race([setTimeout(step.pauseMs), closed])
    else if ('halfClose' in step) socket.end()
    // Node cannot reset a socket that it has half closed.
    else socket.writable ? socket.resetAndDestroy() : socket.destroy()
  }
  if (!socket.destroyed) socket.end()
  const stuck = await Promise.race([closed.then(() => false), setTimeout(STUCK_AFTER_MS, true, { ref: false })])
  socket.destroy()
  return { received, refused, stuck }
}

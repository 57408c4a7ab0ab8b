import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serviceUnavailable } from '../base/errors.js'
import type { Observation } from './now.js'
import type { ConsoleSession } from './session.js'

const INTERVAL_MS = 1000
const MAX_READERS = 32
/** How many bytes may wait for one reader. Each event contains the whole state, so a slow reader may skip events. */
const MAX_UNREAD_BYTES = 256 * 1024
/**
 * The longest life of a connection. The operating system would buffer minutes of events for a stalled reader. A page
 * reconnects by itself.
 */
const LIFE_MS = 600_000

/** When the session or the connection of a reader ends, in ms since 1970. */
interface Reader { endsAt: number, session: ConsoleSession | undefined }

/**
 * Server-sent events: the current state, once a second, to every open console. Nothing is done while no console is
 * open.
 *
 * @returns a function that answers a request with events, until the session that it came with ends
 */
export function createEvents (
  ops: FastifyInstance, observe: () => Observation, hasEnded: (session: ConsoleSession) => Promise<boolean>
): (request: FastifyRequest, reply: FastifyReply, session: ConsoleSession | undefined) => void {
  const readers = new Map<ServerResponse, Reader>()
  let running = false

  // This has to happen before Fastify waits for the connections to end.
  ops.addHook('preClose', async () => { for (const response of readers.keys()) response.destroy() })

  async function run (): Promise<void> {
    const observation = observe()
    running = true
    try {
      while (readers.size > 0) {
        const text = await textOf(observation)
        for (const [response, { endsAt, session }] of readers) {
          sendTo(response, session && await hasEnded(session) ? 0 : endsAt, text)
        }
        await setTimeout(INTERVAL_MS, undefined, { ref: false })
      }
    } finally {
      observation.end()
      running = false
    }
  }

  async function textOf ({ now }: Observation): Promise<string> {
    try {
      return `data: ${JSON.stringify(await now())}\n\n`
    } catch (err) {
      ops.log.error({ code: 'console_failed', err }, 'what the console shows could not be found out')
      return ': nothing is known\n\n'
    }
  }

  return (_request, reply, session) => {
    if (readers.size >= MAX_READERS) throw serviceUnavailable(5, new Error(`${MAX_READERS} consoles are open`))
    reply.hijack()
    const { raw: response } = reply
    response.on('error', () => {})
    response.once('close', () => readers.delete(response))
    response.writeHead(200, {
      ...reply.getHeaders() as Record<string, string>,
      'content-type': 'text/event-stream; charset=utf-8',
      // Without this, nginx would buffer the events.
      'x-accel-buffering': 'no'
    })
    response.write('retry: 2000\n\n')
    readers.set(response, { endsAt: Math.min(session?.endsAt ?? Infinity, Date.now() + LIFE_MS), session })
    if (!running) run().catch(err => ops.log.error({ code: 'console_failed', err }, 'the console is not kept current'))
  }
}

function sendTo (response: ServerResponse, endsAt: number, text: string): void {
  if (Date.now() < endsAt) {
    if (response.writableLength <= MAX_UNREAD_BYTES) response.write(text)
  } else if (response.writableLength > 0) {
    response.destroy()
  } else {
    response.end()
  }
}

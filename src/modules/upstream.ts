import { connect as connectTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, Pool, type Dispatcher } from 'undici'
import { createCircuitBreaker } from '../limiter/circuit-breaker.js'
import { UpstreamUnavailable } from './failures.js'
import type { Module } from './module.js'

/** Requests of one module under way at a time. More wait for a connection, no longer than their timeout. */
const CONNECTIONS = 256
const CONNECT_MS = 5000

/** A request as it goes to a module. */
export interface UpstreamRequest {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string | string[]>
  body: AsyncIterable<Buffer> | null
  /** Ends it, whatever is under way. */
  signal: AbortSignal
}

export type UpstreamAnswer = Omit<Dispatcher.ResponseData, 'headers'> & {
  /** Names and values by turns, as they came. */
  headers: string[]
}

export interface Upstream {
  /**
   * Sends a request. `answered` is called once: when the answer's body begins, or when there will be no answer, with
   * what the signal was aborted with or with an UpstreamUnavailable.
   */
  request: (request: UpstreamRequest, answered: (error: Error | null, answer?: UpstreamAnswer) => void) => void
  /** Asks for a WebSocket; a module that does not agree is unavailable. */
  upgrade: (request: Omit<UpstreamRequest, 'method' | 'body'>, answered: (error: Error | null, answer?: { headers: string[], socket: Duplex }) => void) => void
  close: () => Promise<void>
}

export interface UpstreamObserver {
  /** The circuit breaker opened: requests fail at once until a connection succeeds. */
  onOpen: (failure: Error) => void
  onClose: () => void
}

/**
 * The connections to one module. Each module has its own, so that one that hangs takes nothing from the others.
 *
 * A failed connection opens the circuit breaker; a slow or broken answer does not. A GET or HEAD without a body is sent
 * once more, over a new connection, if the first one broke before an answer came: a server that stops closes kept
 * connections while requests are under way to them.
 */
export function openUpstream (origin: string, { idleMs }: Module, { onOpen, onClose }: UpstreamObserver): Upstream {
  // Timeouts until the answer begins are those of the signal.
  const options: Client.Options = { connectTimeout: CONNECT_MS, headersTimeout: 0, bodyTimeout: idleMs }
  const pool = new Pool(origin, { ...options, connections: CONNECTIONS })
  const breaker = createCircuitBreaker<Error>({ onOpen, onClose: async () => onClose(), onOtherReason: () => {}, onError: () => {} })
  pool.on('connectionError', (_origin, _targets, error) => breaker.open(error, () => probe(origin)))

  function send (dispatcher: Dispatcher, request: UpstreamRequest, answered: (error: Error | null, answer: UpstreamAnswer) => void): void {
    // Methods of any name, iterables, and headers as an array, which is what `raw` means, undici's types do not know.
    dispatcher.request({ ...request, responseHeaders: 'raw' } as never, answered as never)
  }

  return {
    request (request, answered) {
      if (breaker.failure) return answered(new UpstreamUnavailable('circuit breaker open', { cause: breaker.failure }))

      function finish (error: Error | null, answer: UpstreamAnswer): void {
        if (error) return answered(request.signal.aborted ? error : new UpstreamUnavailable(error.message, { cause: error }))
        breaker.succeeded()
        answered(null, answer)
      }

      send(pool, request, (error, answer) => {
        if (!error || !mayRepeat(request, error)) return finish(error, answer)
        const client = new Client(origin, options)
        send(client, request, finish)
        client.close(() => {})
      })
    },

    upgrade (request, answered) {
      if (breaker.failure) return answered(new UpstreamUnavailable('circuit breaker open', { cause: breaker.failure }))
      pool.upgrade({ ...request, method: 'GET', protocol: 'websocket', responseHeaders: 'raw' } as never, (error, answer) => {
        if (error) return answered(request.signal.aborted ? error : new UpstreamUnavailable(error.message, { cause: error }))
        answered(null, answer as never)
      })
    },

    async close () {
      breaker.stop()
      await pool.destroy()
    }
  }
}

function mayRepeat ({ method, body, signal }: UpstreamRequest, error: Error & { code?: string }): boolean {
  return (method === 'GET' || method === 'HEAD') && body === null && !signal.aborted && error.code !== 'UND_ERR_CONNECT_TIMEOUT'
}

/** Resolves to 0 once a connection succeeds. */
function probe (origin: string): Promise<number> {
  const { protocol, hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80), timeout: CONNECT_MS })
    socket.once('connect', () => resolve(0)).once('error', reject).once('timeout', () => reject(new Error('connect timed out')))
    for (const end of ['connect', 'error', 'timeout']) socket.once(end, () => socket.destroy())
  })
}

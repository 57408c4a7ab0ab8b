import { buildConnector, Client, Pool, type Dispatcher } from 'undici'
import { createCircuitBreaker } from '../limiter/circuit-breaker.js'
import { AnswerReader, type Answered } from './answer.js'
import { UpstreamUnavailable } from './failures.js'
import type { Module } from './module.js'

/** Requests of one module under way at a time. More wait for a connection, no longer than their timeout. */
const CONNECTIONS = 256
const CONNECT_MS = 5000

const connectPlainly = buildConnector({ timeout: CONNECT_MS })

/**
 * For undici, a reset ends an answer without a length, as a FIN does. Its listener knows a reset by the code, so under
 * another code an answer that a reset cuts off is an error.
 */
const connect: buildConnector.connector = (options, callback) => connectPlainly(options, (...result) => {
  result[1]?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'CONNECTION_RESET'
  })
  callback(...result)
})

/**
 * A connection to a module, with one request at a time. It may end while its answer is held back, because the client
 * reads slowly. undici's listener for that end throws then, which would end the process. Nothing more can come, so the
 * rest is no longer held back.
 */
class Connection extends Client {
  /** Weak: an idle connection keeps nothing of the last request. */
  #reader: WeakRef<AnswerReader> | undefined

  constructor (origin: string, options: Client.Options) {
    super(origin, {
      ...options,
      connect: (connectOptions, callback) => connect(connectOptions, (...result) => {
        result[1]?.on('end', () => this.#reader?.deref()?.release())
        callback(...result)
      })
    })
  }

  override dispatch (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // A pool gives its connections a handler of its own instead of the reader, but the request as it came.
    this.#reader = new WeakRef((request as Sent).reader)
    return super.dispatch(request, handler)
  }
}

type Sent = Dispatcher.DispatchOptions & { reader: AnswerReader }

/** A request as it goes to a module. */
export interface UpstreamRequest {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string | string[]>
  body: AsyncIterable<Buffer> | null
  /** Called when the headers of the answer have come. Its first byte may still take as long as a pause of it. */
  onHeaders: () => void
  /** Asks to leave HTTP for this protocol. */
  upgrade?: string
}

export interface Upstream {
  /**
   * Sends a request. `answered` is called once: when the answer begins, or when there will be none, with an
   * UpstreamUnavailable or with the reason for which the request was ended.
   *
   * @returns ends the request, whatever is under way
   */
  request: (request: UpstreamRequest, answered: Answered) => (reason: Error) => void
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
  // Who asks ends a request whose answer does not begin in time.
  const options: Client.Options = { headersTimeout: 0, bodyTimeout: idleMs }
  const newConnection = (): Connection => new Connection(origin, options)
  const pool = new Pool(origin, { factory: newConnection, connections: CONNECTIONS })
  const breaker = createCircuitBreaker<Error>({
    onOpen, onClose: async () => onClose(), onOtherReason: () => {}, onError: () => {}
  })
  pool.on('connectionError', (_origin, _targets, error) => breaker.open(error, () => probe(origin)))

  return {
    request (request, answered) {
      if (breaker.failure) {
        answered(new UpstreamUnavailable('circuit breaker open', { cause: breaker.failure }))
        return () => {}
      }

      const finish: Answered = (error, answer) => {
        if (error) return answered(error)
        breaker.succeeded()
        answered(null, answer)
      }
      let reader = new AnswerReader(request.onHeaders, (error, answer) => {
        if (!error || reader.aborted || reader.hasHeaders || !mayRepeat(request, error)) return finish(error, answer)
        const client = newConnection()
        reader = new AnswerReader(request.onHeaders, finish)
        send(client, request, reader)
        client.close(() => {})
      })
      send(pool, request, reader)
      return reason => reader.abort(reason)
    },

    async close () {
      breaker.stop()
      await pool.destroy()
    }
  }
}

function send (dispatcher: Dispatcher, request: UpstreamRequest, reader: AnswerReader): void {
  // Methods of any name, and bodies that are iterables, undici's types do not know.
  dispatcher.dispatch({ ...request, reader } as Sent, reader)
}

function mayRepeat ({ method, body, upgrade }: UpstreamRequest, { cause }: Error): boolean {
  const timedOut = (cause as { code?: string } | undefined)?.code === 'UND_ERR_CONNECT_TIMEOUT'
  return (method === 'GET' || method === 'HEAD') && body === null && upgrade === undefined && !timedOut
}

/** Resolves to 0 once a connection succeeds, with the TLS handshake if there is one. */
function probe (origin: string): Promise<number> {
  const { protocol, host, hostname, port } = new URL(origin)
  const to = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port: port || defaultPort(protocol) }
  return new Promise((resolve, reject) => {
    connect(to, (error, socket) => {
      if (error) return reject(error)
      socket.on('error', () => {}).destroy()
      resolve(0)
    })
  })
}

const defaultPort = (protocol: string): string => protocol === 'https:' ? '443' : '80'

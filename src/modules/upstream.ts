import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import { buildConnector, Client, Pool, type Dispatcher } from 'undici'
import { CircuitBreaker } from '../base/circuit-breaker.js'
import { portOf } from '../base/url.js'
import { AnswerReader, type Answered } from './answer.js'
import { connectClock, pauseClock } from './clocks.js'
import { UpstreamUnavailable } from './failures.js'

/**
 * The maximum of pooled connections to one module, with one request each. Further requests wait for a connection, but
 * no longer than their timeout.
 */
const CONNECTIONS = 256

/**
 * A connection ends with its first request after this time, and the next request looks the module's name up. So a
 * module that moved, or that has more addresses than before, is reached there soon, although the old address answers.
 */
const CONNECTION_AGE_MS = 30_000

/**
 * Shuffles the addresses of a family, so that connections spread over them. The C library may sort them, and then all
 * connections would lead to the same one.
 */
const lookUp: LookupFunction = (name, options, callback) => {
  dns.lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const rank = new Map(addresses.map(one => [one, Math.random() + Number(one.family !== addresses[0]!.family)]))
    addresses.sort((a, b) => rank.get(a)! - rank.get(b)!)
    if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  })
}

const connectPlainly = buildConnector({ ...connectClock, lookup: lookUp })

/**
 * undici treats a reset as the normal end of an answer without a length, like a FIN. Its listener recognises a reset by
 * its error code. With another code, undici reports an error if a reset cuts off an answer.
 */
const connect: buildConnector.connector = (options, callback) => connectPlainly(options, (...result) => {
  result[1]?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'CONNECTION_RESET'
  })
  callback(...result)
})

/**
 * A connection to a module, with one request at a time. The module may end the connection while backpressure pauses the
 * answer, because the client reads slowly. undici's `end` listener would then throw an error and end the process. No
 * data can follow the end, so backpressure is switched off first.
 */
class UpstreamConnection extends Client {
  /** A weak reference, so that an idle connection does not keep its last request in memory. */
  #reader: WeakRef<AnswerReader> | undefined
  #connectedAtMs = Infinity

  constructor (origin: string, options: Client.Options) {
    super(origin, {
      ...options,
      // undici would ask TLS for the name in a request's `Host`, which may be the client's.
      connect: (to, callback) => connect({ ...to, servername: '' }, (...result) => {
        result[1]?.on('end', () => this.#reader?.deref()?.release())
        this.#connectedAtMs = performance.now()
        callback(...result)
      })
    })
  }

  override dispatch (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // A pool passes its own handler to its connections instead of the reader. It passes the request unchanged, so the
    // reader is a part of the request.
    this.#reader = new WeakRef((request as Sent).reader)
    const isOld = performance.now() - this.#connectedAtMs > CONNECTION_AGE_MS
    return super.dispatch(isOld ? { ...request, reset: true } : request, handler)
  }
}

type Sent = Dispatcher.DispatchOptions & { reader: AnswerReader }

/** A request that is sent to a module. */
interface UpstreamRequest {
  method: string
  /** Includes the query. */
  path: string
  headers: Record<string, string | string[]>
  body: AsyncIterable<Buffer> | null
  /** How long the body of the answer may pause. */
  idleMs: number
  /**
   * Called when the headers of the answer have arrived. The first byte of the body may then take as long as a pause in
   * the body.
   */
  onHeaders: () => void
  /** The protocol that the module is asked to switch to. */
  upgrade?: string
}

interface UpstreamObserver {
  /** Called when the circuit breaker opens. Requests then fail at once until a connection succeeds. */
  onOpen: (failure: Error) => void
  onClose: () => void
}

/**
 * The connection pool of one module. Each module has its own pool, so that a module that hangs does not affect the
 * others.
 *
 * A failed connection attempt opens the circuit breaker if no other connection is open: then the module may be away,
 * and not only one of its instances or addresses. A slow or broken answer does not open it.
 *
 * A GET or HEAD without a body is sent once more if its connection broke before the headers of the answer. The second
 * attempt uses a new connection. The reason: a server that stops closes keep-alive connections while requests are in
 * flight on them. Nothing is sent again after a connect timeout, or for an upgrade.
 */
export class Upstream {
  readonly #newConnection: () => UpstreamConnection
  readonly #pool: Pool
  readonly #breaker: CircuitBreaker<Error>

  constructor (origin: string, { onOpen, onClose }: UpstreamObserver) {
    this.#newConnection = () => new UpstreamConnection(origin, {})
    this.#pool = new Pool(origin, { factory: this.#newConnection, connections: CONNECTIONS })
    this.#breaker = new CircuitBreaker<Error>({ onOpen, onClose, onOtherReason: () => {} })
    this.#pool.on('connectionError', (_origin, _targets, error) => {
      if (this.#pool.stats.connected === 0) this.#breaker.open(error, () => probe(origin))
    })
  }

  /**
   * Sends a request. `answered` is called once: with the answer when it begins, or with an error if there is none. The
   * error is an UpstreamUnavailable, an UpstreamTimeout, or the reason that ended the request.
   *
   * @returns a function that ends the request in any state
   */
  request (request: UpstreamRequest, answered: Answered): (reason: Error) => void {
    if (this.#breaker.failure) {
      answered(new UpstreamUnavailable('circuit breaker open', { cause: this.#breaker.failure }))
      return () => {}
    }

    const finish: Answered = (error, answer) => {
      if (error) return answered(error)
      this.#breaker.succeeded()
      answered(null, answer)
    }
    let reader = new AnswerReader(request.onHeaders, (error, answer) => {
      if (!error || reader.aborted || reader.hasHeaders || !mayRepeat(request, error)) return finish(error, answer)
      const client = this.#newConnection()
      reader = new AnswerReader(request.onHeaders, finish)
      send(client, request, reader)
      client.close(() => {})
    })
    send(this.#pool, request, reader)
    return reason => reader.abort(reason)
  }

  /** No further requests come. Those under way finish, and idle connections end after seconds. */
  retire (): void {
    this.#breaker.stop()
  }

  async close (): Promise<void> {
    this.#breaker.stop()
    await this.#pool.destroy()
  }
}

function send (dispatcher: Dispatcher, request: UpstreamRequest, reader: AnswerReader): void {
  // undici's types do not include all methods, or iterables as bodies.
  dispatcher.dispatch({ ...request, ...pauseClock(request.idleMs), reader } as Sent, reader)
}

function mayRepeat ({ method, body, upgrade }: UpstreamRequest, { cause }: Error): boolean {
  const timedOut = (cause as { code?: string } | undefined)?.code === 'UND_ERR_CONNECT_TIMEOUT'
  return (method === 'GET' || method === 'HEAD') && body === null && upgrade === undefined && !timedOut
}

/** Resolves once a connection succeeds. For https, this includes the TLS handshake. */
function probe (origin: string): Promise<void> {
  const url = new URL(origin)
  const { protocol, host, hostname } = url
  const to = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port: portOf(url) }
  return new Promise((resolve, reject) => {
    connect(to, (error, socket) => {
      if (error) return reject(error)
      socket.on('error', () => {}).destroy()
      resolve()
    })
  })
}

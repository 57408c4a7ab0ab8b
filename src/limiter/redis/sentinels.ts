import { lookup } from 'node:dns/promises'
import type { Socket } from 'node:net'
import { SentinelConnector, type Redis, type RedisOptions } from 'ioredis'
import { every } from '../../base/every.js'
import { reportRefusedConnection } from './connector.js'

/** On this channel a sentinel says which master has which address now: `name host port newHost newPort`. */
const SWITCHED = '+switch-master'
/** How often a sentinel has to show that it is there. */
export const PULSE_MS = 1000

/** What ioredis says when no sentinel named a master, also if all of them answered. */
export const NO_MASTER = /^All sentinels are unreachable/

/** What the sentinel that was asked last answered, in its own words. */
export function sentinelError ({ message }: Error): Error {
  const [, sentinel, answer = ''] = /to sentinel (\S+) (?:because )?(.*)/s.exec(message) ?? []
  return new Error(sentinel === undefined ? message : `sentinel ${sentinel}: ${answer}`)
}

/** The connection over which a sentinel is asked for the master. */
type SentinelConnection = Redis & { sentinel: (...args: unknown[]) => Promise<unknown> }

/** A private part of ioredis's connector. */
interface Asking {
  connectToSentinel: (...to: unknown[]) => SentinelConnection
}

/** A TLS socket whose handshake failed may have a second error: see `Connector`. */
export class MasterConnector extends SentinelConnector {
  readonly #overTls: boolean

  constructor (options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0])
    this.#overTls = (options as RedisOptions).tls !== undefined
    const { connectToSentinel } = this as unknown as Asking
    const asking: Asking = { connectToSentinel: (...to) => sayingWhy(connectToSentinel.apply(this, to)) }
    Object.assign(this, asking)
  }

  override async connect (...emitter: Parameters<SentinelConnector['connect']>): Promise<Socket> {
    const socket = await super.connect(...emitter) as Socket
    return reportRefusedConnection(socket.on('error', () => {}), this.#overTls)
  }
}

/** ioredis would say only that the connection to a sentinel is closed. */
function sayingWhy (connection: SentinelConnection): SentinelConnection {
  const ask = connection.sentinel.bind(connection)
  let reason: Error | undefined
  connection.on('error', (error: Error) => { reason = error })
  return Object.assign(connection, {
    sentinel: (...args: unknown[]) => ask(...args).catch((error) => { throw reason ?? error })
  })
}

/**
 * Leaves a master as soon as a sentinel names another one. A master that was replaced on purpose goes on answering for
 * ten seconds, and what it gives is lost. ioredis's `failoverDetector` leaves once for each sentinel that says it, the
 * new master too, and writes to standard error whenever a sentinel is gone.
 *
 * @param name the master's, for the sentinels
 * @param sentinels what makes a connection to each of them
 */
export function leaveReplacedMaster (redis: Redis, name: string, sentinels: Array<() => Redis>): Redis {
  let watched: Redis[] = []
  let endPulse: (() => unknown) | undefined

  async function leave (message: string): Promise<void> {
    const [named, , , host, port] = message.split(' ') as [string, string, string, string, string]
    if (named !== name) return
    const address = await lookup(host).then(({ address }) => address, () => host)
    const { stream } = redis
    // A reply that is on its way still arrives.
    if (stream.remoteAddress !== address || stream.remotePort !== Number(port)) stream.end()
  }

  const subscribe = (sentinel: Redis): void => {
    if (sentinel.status === 'ready') sentinel.subscribe(SWITCHED).catch(() => {})
  }

  redis.once('ready', () => {
    watched = sentinels.map((create) => {
      const sentinel = create()
      sentinel.on('error', () => {})
      sentinel.on('ready', () => subscribe(sentinel))
      sentinel.on('message', (_channel, message: string) => { leave(message) })
      sentinel.connect().catch(() => {})
      return sentinel
    })
    // A healthy subscription may be silent, too, so only an answer shows that its connection is alive.
    endPulse = every(PULSE_MS, () => watched.forEach(subscribe))
  })

  // There is no event for this while it reconnects.
  const disconnect = redis.disconnect.bind(redis)
  return Object.assign(redis, {
    disconnect (reconnects = false) {
      disconnect(reconnects)
      if (reconnects) return
      endPulse?.()
      for (const one of watched) one.disconnect()
      watched = []
    }
  })
}

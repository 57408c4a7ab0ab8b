import { connect as connectPlainly, type Socket } from 'node:net'
import { connect as connectOverTls } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'

/**
 * Opens the socket of every connection, those that ioredis makes for itself in a cluster among them. A TLS socket whose
 * handshake failed may have a second error. ioredis listens for one only, and an error without a listener would end the
 * process.
 */
export class Connector extends AbstractConnector {
  readonly #options: RedisOptions

  constructor (options: unknown) {
    super((options as RedisOptions).disconnectTimeout!)
    this.#options = options as RedisOptions
  }

  override async connect (): Promise<Socket> {
    this.connecting = true
    // The caller may end the connection in the same turn.
    await Promise.resolve()
    if (!this.connecting) throw new Error('Connection is closed.')
    const { host, port, family, path, tls } = this.#options
    const to = path ? { path } : { host, port: port!, family }
    const socket = tls ? connectOverTls({ ...to, ...tls }) : connectPlainly(to)
    socket.on('error', (error) => { this.firstError ??= error })
    this.stream = socket
    return socket
  }
}

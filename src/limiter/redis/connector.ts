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
    return reportRefusedConnection(socket, tls !== undefined)
  }
}

/**
 * Makes an error of what Redis writes before it closes a new connection: that it has too many clients, or is in
 * protected mode. ioredis takes that for the reply to its first command, and forgets it because the second has none.
 */
export function reportRefusedConnection (socket: Socket, overTls: boolean): Socket {
  return socket.once(overTls ? 'secureConnect' : 'connect', () => {
    // In several pieces, the second one would fail with EPIPE, and Node would not read what Redis said.
    socket.cork()
    process.nextTick(() => socket.uncork())
    socket.once('data', (bytes) => {
      const [, words] = /^-([^\r\n]+)\r\n$/.exec(String(bytes)) ?? []
      if (words === undefined) return
      // Redis closes with a FIN or, if commands were on their way, with a RST.
      const end = (): void => { socket.destroy(new Error(words)) }
      const explain = (error: Error): void => { error.message = words }
      socket.once('end', end).prependListener('error', explain)
      socket.once('data', () => socket.off('end', end).off('error', explain))
    })
  })
}

import type { Socket } from 'node:net'
import { AUTHENTICATION, FORMATS } from './postgres-formats.js'

/*
 * Inside a socket event, pg parses what PostgreSQL, or a pooler or proxy in front of it, sends. If it cannot parse a
 * message, it throws, which ends the process. An error message without an end puts it into an endless loop. It also
 * treats any message as the answer to the current query. So every message is checked before pg gets it, and the first
 * bad one ends its connection. The query on it fails as if PostgreSQL were down, and the pool reconnects.
 */

/** Limits of the answer to one query. The largest is the list of revoked users: some 60 bytes a user. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_MESSAGES = 1_000_000

/** The limit of a message that answers no request, or is an error. Pg and the log copy it several times. */
const MAX_EXTRA_BYTES = 64 * 1024

type Request = 'startup' | 'parse' | 'bind' | 'describe' | 'execute' | 'close' | 'sync' | 'query'

/** The types of message that answer a request, and whether more may follow. COPY is never used. */
const ANSWERS: Record<Request, Record<string, 'more' | 'last'>> = {
  startup: { R: 'more', K: 'more', Z: 'last' },
  parse: { 1: 'last' },
  bind: { 2: 'last' },
  describe: { T: 'last', n: 'last' },
  execute: { D: 'more', C: 'last', I: 'last' },
  close: { 3: 'last' },
  sync: { Z: 'last' },
  query: { T: 'more', D: 'more', C: 'more', I: 'more', Z: 'last' }
}

/** Notices, parameters and notifications may arrive at any time. */
const ASYNCHRONOUS = 'NSA'

/** The next step of the authentication after each step. Pg itself refuses any other method. */
const { OK, CLEARTEXT, MD5, SASL, SASL_CONTINUE, SASL_FINAL } = AUTHENTICATION
const NEXT_STEP: Record<number, number> = {
  [CLEARTEXT]: OK, [MD5]: OK, [SASL]: SASL_CONTINUE, [SASL_CONTINUE]: SASL_FINAL, [SASL_FINAL]: OK
}

/** The type, and the length, which includes itself but not the type. */
const [TYPE_BYTES, LENGTH_BYTES] = [1, 4]
const HEADER_BYTES = TYPE_BYTES + LENGTH_BYTES

/**
 * Makes a pool check what its connections receive. It has to be called before the pool connects.
 *
 * @param pool of pg
 */
export function checkReplies (pool: object): void {
  const checked = pool as {
    Client: new (config: unknown) => { connection: Connection, on: (event: 'error', listener: () => void) => void }
  }
  checked.Client = class extends checked.Client {
    constructor (config: unknown) {
      super(config)
      // An idle connection, and one that the pool has dropped, has no other listener. A late error would end the
      // process.
      this.on('error', () => {})
      checkConnection(this.connection)
    }
  }
}

/** The part of pg's connection that is used here. With TLS, the stream is attached after the handshake. */
type Connection = Record<Exclude<Request, 'startup'>, (...args: unknown[]) => unknown> & {
  attachListeners: (stream: Pick<Socket, 'on'>) => void
}

function checkConnection (connection: Connection): void {
  const { sent, received } = postgresReplies()
  for (const request of ['parse', 'bind', 'describe', 'execute', 'close', 'sync', 'query'] as const) {
    const send = connection[request].bind(connection)
    connection[request] = (...args) => {
      // If a value cannot be sent, this throws and nothing is sent.
      const result = send(...args)
      sent(request)
      return result
    }
  }

  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const socket = stream as Socket
    const checking = (parse: (messages: Buffer) => void) => (chunk: Buffer): void => {
      if (socket.destroyed) return
      try {
        parse(received(chunk))
      } catch (cause) {
        socket.destroy(new Error(
          `PostgreSQL, or a proxy in front of it, answers nonsense: ${(cause as Error).message}`, { cause }
        ))
      }
    }
    attach({
      on: (event: string, listener: (bytes: Buffer) => void) =>
        socket.on(event, event === 'data' ? checking(listener) : listener)
    } as Pick<Socket, 'on'>)
  }
}

interface Replies {
  /** Takes each request, in order. */
  sent: (request: Request) => void
  /**
   * Takes each chunk that arrives, in order.
   *
   * @returns the messages that are complete with it
   * @throws when a message is malformed, answers no request, or belongs to an answer over the limits
   */
  received: (chunk: Buffer) => Buffer
}

/** Checks one connection from its start. */
export function postgresReplies (): Replies {
  const { sent, checkOrder } = messageOrder()
  const incomplete = growingBuffer()
  let needed = HEADER_BYTES

  return {
    sent,
    received (chunk) {
      const bytes = incomplete.append(chunk)
      if (bytes.length < needed) return Buffer.alloc(0)
      let at = 0
      for (needed = HEADER_BYTES; bytes.length - at >= needed; needed = HEADER_BYTES) {
        const length = bytes.readUInt32BE(at + TYPE_BYTES)
        const type = String.fromCharCode(bytes[at]!)
        const most = type === 'E' || ASYNCHRONOUS.includes(type) ? MAX_EXTRA_BYTES : MAX_BYTES
        if (length < LENGTH_BYTES || length > most) throw new Error('a message has an impossible length')
        needed = TYPE_BYTES + length
        if (bytes.length - at < needed) break
        const body = bytes.subarray(at + HEADER_BYTES, at + needed)
        if (!FORMATS[type]?.(body)) throw new Error('a message is malformed')
        checkOrder(type, body)
        at += needed
      }
      incomplete.keep(bytes.subarray(at))
      return bytes.subarray(0, at)
    }
  }
}

/** Tracks which requests are not answered yet, and what may come next. */
function messageOrder (): { sent: (request: Request) => void, checkOrder: (type: string, body: Buffer) => void } {
  const pending: Request[] = ['startup']
  const checkAuthentication = authenticationOrder()
  let columns: number | undefined
  let rows = 0
  /** A simple query is ready only after a result or an error. */
  let hasResult = false
  let bytes = 0
  let messages = 0

  /**
   * After an error, PostgreSQL skips all requests up to the next sync. A connection that failed to start is finished.
   */
  function skip (): void {
    while (pending.length > 0 && pending[0] !== 'sync' && pending[0] !== 'query') pending.shift()
    hasResult = true
  }

  function checkOrder (type: string, body: Buffer): void {
    if (ASYNCHRONOUS.includes(type)) return
    // An error without a request says why the connection ends.
    if (type === 'E') return skip()
    const request = pending[0]
    const answer = request && ANSWERS[request][type]
    if (!answer) throw new Error('a message answers nothing that was asked')
    if (request === 'startup') checkAuthentication(type, body)
    if (type === 'D' && body.readInt16BE(0) !== columns) throw new Error('a row has other columns than its result')
    if (type === 'Z' && request === 'query' && !hasResult) throw new Error('a query ends without a result')
    if (type === 'D') rows++
    if (type === 'C' && columns !== undefined && isOther(rows, body)) {
      throw new Error('a result has another number of rows than it says')
    }
    if (type === 'T') {
      columns = body.readInt16BE(0)
      rows = 0
    }
    if ('nCI'.includes(type)) columns = undefined
    if ('CI'.includes(type)) hasResult = true

    bytes += body.length
    messages++
    if (bytes > MAX_BYTES || messages > MAX_MESSAGES) throw new Error('an answer is too large')
    if (answer === 'last') pending.shift()
    if (type !== 'Z') return
    hasResult = false
    bytes = 0
    messages = 0
  }

  return { sent: (request) => { pending.push(request) }, checkOrder }
}

/**
 * Checks the start of a connection: pg would continue an exchange that was never begun, and fail as if that were a bug.
 */
function authenticationOrder (): (type: string, body: Buffer) => void {
  let last: number | undefined
  return (type, body) => {
    if (type !== 'R') {
      if (last !== OK) throw new Error('a session starts without authentication')
      return
    }
    const step = body.readInt32BE(0)
    const isNext = last === undefined ? step !== SASL_CONTINUE && step !== SASL_FINAL : step === NEXT_STEP[last]
    if (!isNext) throw new Error('a step of the authentication is out of order')
    last = step
  }
}

/**
 * A command tag ends with the number of rows, as in `SELECT 1`, `INSERT 0 1` or `UPDATE 1`; some, such as `SHOW`, have
 * none.
 */
function isOther (rows: number, tag: Buffer): boolean {
  const said = / (\d+)\0$/.exec(tag.toString('latin1'))?.[1]
  return said !== undefined && Number(said) !== rows
}

/** Keeps an incomplete message. Even with tiny chunks, each byte is copied only a few times. */
function growingBuffer () {
  let buffer: Buffer = Buffer.alloc(0)
  let used = 0
  return {
    /** @returns what was kept and the chunk after it */
    append (chunk: Buffer): Buffer {
      if (used === 0) {
        buffer = chunk
      } else {
        if (used + chunk.length > buffer.length) {
          buffer = Buffer.concat([buffer.subarray(0, used)], 2 * (used + chunk.length))
        }
        chunk.copy(buffer, used)
      }
      used += chunk.length
      return buffer.subarray(0, used)
    },
    keep (rest: Buffer): void {
      // This is a copy, because the memory that pg got must not change.
      buffer = Buffer.from(rest)
      used = rest.length
    }
  }
}

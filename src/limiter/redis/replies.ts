import { Command } from 'ioredis'
import DataHandlerModule from 'ioredis/built/DataHandler.js'
import { Decoder } from 'ioredis/built/resp/decoder.js'
import type { Policy } from '../bucket/bucket.js'
import { respSyntax } from './resp-syntax.js'

/*
 * Replies are checked here when they arrive. If a reply cannot be the answer to its command, Redis or a proxy in front
 * of it has lost the order of replies. The connection is then given up, and its takes are undecided.
 */

/** A reply of a wrong type, length or order. Its message says which, and never quotes the reply. */
export class BadReply extends Error {
  override readonly name = 'BadReply'
}

interface Take { policy: Policy, cost: number, pair?: 'first' | 'second' | undefined }

/** The result of a take. */
export interface Taken {
  allowed: boolean
  /** How many more tokens a full bucket has. */
  lacking: number
  /** Until the bucket is full. */
  fullMs: number
}

/**
 * Two numbers are packed into one integer: the tokens lacking are the upper part, and the ms until the next refill the
 * lower.
 */
const NEXT = 2 ** 32
const UNDECIDED = -1

/**
 * What lua/take.lua answered: an integer for each take, and the number of the call.
 *
 * @param fromNode whether a node of a cluster answered. It may not have every bucket
 * @returns undefined for a take that is not decided. Either the node does not have its bucket or the other bucket of
 * its pair, or the first bucket of its pair refuses
 * @throws {BadReply} a reply that the script cannot have given to this call
 */
export function checkedTakes (
  reply: unknown, call: number, takes: readonly Take[], fromNode = false
): Array<Taken | undefined> {
  if (!Array.isArray(reply) || reply.length !== takes.length + 1) {
    throw new BadReply('what came is not the reply to a take')
  }
  if (reply.at(-1) !== call) throw new BadReply('a reply belongs to another take')
  let before: Taken | undefined
  return takes.map((take, i) => {
    const decided = reply[i] !== UNDECIDED
    const possible = take.pair === 'second' ? decided === (before?.allowed ?? false) : decided || fromNode
    if (!possible) throw new BadReply('a take has a reply that its policy does not allow')
    before = decided ? checkedTake(take, reply[i]) : undefined
    return before
  })
}

function checkedTake ({ policy, cost }: Take, packed: unknown): Taken {
  if (!Number.isSafeInteger(packed)) throw new BadReply('a take has a reply that is no number')
  const allowed = packed as number >= 0
  const absolute = Math.abs(packed as number)
  const nextMs = absolute % NEXT
  const lacking = (absolute - nextMs) / NEXT
  const fits = allowed ? lacking >= cost : lacking + cost > policy.capacity
  const most = policy.rivals ? Infinity : policy.capacity
  const inTime = lacking === 0 ? nextMs === 0 : nextMs >= 1 && nextMs <= policy.periodMs
  if (!fits || lacking > most || !inTime) throw new BadReply('a take has a reply that its policy does not allow')
  // The next refill comes in `nextMs`, and each later one a period after the one before.
  const laterRefills = Math.ceil(lacking / policy.refill) - 1
  return { allowed, lacking, fullMs: lacking === 0 ? 0 : nextMs + laterRefills * policy.periodMs }
}

/** The first item of a heartbeat's reply, which distinguishes it from the reply to a take. */
const HEARTBEAT = 'replicas'

/**
 * What lua/heartbeat.lua answered: how many replicas are alive, and the distinct tags in their names, including this
 * replica's own.
 *
 * @throws {BadReply}
 */
export function checkedReplicas (reply: unknown, call: number, own: string): { count: number, tags: string[] } {
  if (!Array.isArray(reply) || reply[0] !== HEARTBEAT) throw new BadReply('what came is not the reply to a heartbeat')
  const [, echo, count, ...tags] = reply as unknown[]
  if (echo !== call) throw new BadReply('a reply belongs to another heartbeat')
  const isPossible = Number.isInteger(count) && (count as number) >= tags.length
  const areDistinct = new Set(tags).size === tags.length
  if (!isPossible || !areDistinct || !tags.every(isText)) throw new BadReply('a heartbeat counts what cannot be')
  if (!tags.includes(own)) throw new BadReply('a heartbeat does not know the replica that sent it')
  return { count: count as number, tags: tags as string[] }
}

/** A text, or none. @throws {BadReply} */
export function checkedText (reply: unknown): string | undefined {
  if (reply !== null && !isText(reply)) throw new BadReply('what came is not the reply to a GET')
  return reply === null ? undefined : reply as string
}

/** @throws {BadReply} */
export function checkedOk (reply: unknown): void {
  if (reply !== 'OK') throw new BadReply('what came is not the reply to a SET')
}

/** A number of ms; negative for a key without an expiry, or for none. @throws {BadReply} */
export function checkedExpiry (reply: unknown): number {
  if (!Number.isSafeInteger(reply)) throw new BadReply('what came is not the reply to a PTTL')
  return reply as number
}

/** In ms since 1970. @throws {BadReply} */
export function checkedTime (reply: unknown): number {
  const [seconds, microseconds] = Array.isArray(reply) ? reply.map(Number) : []
  const ms = seconds! * 1000 + Math.floor(microseconds! / 1000)
  if (Number.isNaN(new Date(ms).getTime())) throw new BadReply('what came is not the reply to a TIME')
  return ms
}

/** @throws {BadReply} */
export function checkedNames (reply: unknown): string[] {
  if (!Array.isArray(reply) || !reply.every(isText)) throw new BadReply('what came is not the reply to a ZRANGE')
  return reply as string[]
}

/** What lua/read-limits.lua answered: fields by name; undefined if the known version is current. @throws {BadReply} */
export function checkedFields (reply: unknown): Record<string, string> | undefined {
  const [word, ...rest] = Array.isArray(reply) ? reply as unknown[] : []
  if (word === 'limits' && rest.length === 1 && rest[0] === 0) return undefined
  if (word !== 'limits' || rest.length % 2 !== 0 || !rest.every(isText)) {
    throw new BadReply('what came is not the reply to a reading of limits')
  }
  const texts = rest as string[]
  return Object.fromEntries(texts.flatMap((name, i) => i % 2 === 0 ? [[name, texts[i + 1]!]] : []))
}

/** Whether lua/change-limits.lua made the change. @throws {BadReply} */
export function checkedChange (reply: unknown): boolean {
  const [word, changed] = Array.isArray(reply) ? reply as unknown[] : []
  if (word !== 'limits' || (changed !== 0 && changed !== 1)) {
    throw new BadReply('what came is not the reply to a change of limits')
  }
  return changed === 1
}

/** Whether the key was deleted. @throws {BadReply} */
export function checkedDeleted (reply: unknown): boolean {
  if (reply !== 0 && reply !== 1) throw new BadReply('what came is not the reply to a DEL')
  return reply === 1
}

/** A page of SCAN. @throws {BadReply} */
export function checkedPage (reply: unknown): { cursor: string, keys: string[] } {
  if (!Array.isArray(reply) || reply.length !== 2 || !Array.isArray(reply[1])) {
    throw new BadReply('what came is not the reply to a SCAN')
  }
  const [cursor, keys] = reply as [unknown, unknown[]]
  if (!/^\d{1,20}$/.test(String(cursor)) || !keys.every(isText)) {
    throw new BadReply('what came is not the reply to a SCAN')
  }
  return { cursor: String(cursor), keys: keys as string[] }
}

/**
 * Redis recommends at most this many nodes. ioredis makes a client for each node, and a list of nodes for each slot.
 */
const MAX_NODES = 1000
const MAX_NODES_OF_RANGE = 50

type SlotRange = [from: number, to: number, ...nodes: Array<[host: string | null, port: number]>]

/**
 * Which nodes serve which slots. ioredis does not check this, and would loop over any range in it. @throws {BadReply}
 */
export function checkedSlots (reply: unknown): unknown[] {
  if (!Array.isArray(reply) || !reply.every(isSlotRange)) {
    throw new BadReply('what came is not the reply to CLUSTER SLOTS')
  }
  const ranges = reply.toSorted(([one], [other]) => one - other)
  if (ranges.some(([from], i) => i > 0 && from <= ranges[i - 1]![1])) throw new BadReply('ranges of slots overlap')
  const nodes = new Set(ranges.flatMap(([, , ...nodes]) => nodes.map(([host, port]) => `${host}:${port}`)))
  if (nodes.size > MAX_NODES) throw new BadReply('a cluster has too many nodes')
  return reply
}

function isSlotRange (range: unknown): range is SlotRange {
  if (!Array.isArray(range) || range.length > 2 + MAX_NODES_OF_RANGE) return false
  const [from, to, ...nodes] = range as unknown[]
  return isSlot(from) && isSlot(to) && from <= to && nodes.every(isNode)
}

const isSlot = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 16384

const isNode = (value: unknown): boolean =>
  Array.isArray(value) && (value[0] === null || isText(value[0])) && isPort(value[1])

/** The address of the master, or none if the sentinel knows no such master. @throws {BadReply} */
export function checkedMaster (reply: unknown): string[] | null {
  if (reply === null) return null
  const possible = Array.isArray(reply) && reply.length === 2 && isHost(reply[0]) && isPortText(reply[1])
  if (!possible) throw new BadReply('what came is not the address of a master')
  return reply
}

/** What a sentinel knows about the other sentinels: for each of them a list of names and values. @throws {BadReply} */
export function checkedSentinels (reply: unknown): string[][] {
  if (!Array.isArray(reply) || !reply.every(isSentinel)) throw new BadReply('what came is not a list of sentinels')
  return reply
}

function isSentinel (sentinel: unknown): boolean {
  if (!Array.isArray(sentinel) || !sentinel.every(isText)) return false
  const value = (name: string): unknown => sentinel[sentinel.indexOf(name) + 1]
  return isHost(value('ip')) && isPortText(value('port'))
}

const isHost = (value: unknown): boolean => typeof value === 'string' && /^[\w.:%-]{1,255}$/.test(value)

const isPort = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < 65536

const isPortText = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{1,5}$/.test(value) && isPort(Number(value))

const isText = (value: unknown): boolean => typeof value === 'string'

// ioredis itself sends INFO while it connects to a master that sentinels name, and parses any answer.
Command.setReplyTransformer('info', (reply: unknown) => {
  if (typeof reply !== 'string') throw new BadReply('what came is not the reply to INFO')
  return reply
})

interface Connection {
  commandQueue: { shift: () => unknown }
  stream: { destroyed: boolean, destroy: () => void }
  recoverFromFatalError: (error: Error, cause: Error, options: object) => void
}

/** How many characters of an error are kept and logged. They suffice for the new place of a cluster's slot, too. */
const MAX_ERROR_LENGTH = 300
const { returnError } = DataHandlerModule.default.prototype as unknown as { returnError: (error: Error) => void }

/**
 * ioredis passes on each reply here. For a reply that it does not understand (a push without a name, a subscription
 * answered with a number) it throws an uncaught error. A reply that no command waits for is only reported. Here both
 * end the connection instead, and the commands that wait for a reply on it are rejected.
 */
Object.assign(DataHandlerModule.default.prototype, {
  dispatch (this: { redis: Connection }, handle: () => void) {
    // This error stops the decoder, which would otherwise decode the rest of the chunk.
    if (this.redis.stream.destroyed) throw new BadReply('a reply came after the end')
    handle()
  },
  returnError (error: Error) {
    const { constructor, message } = error
    const isShort = message.length <= MAX_ERROR_LENGTH
    const kept = isShort ? error : new (constructor as ErrorConstructor)(`${message.slice(0, MAX_ERROR_LENGTH)}…`)
    returnError.call(this, kept)
  },
  returnFatalError (this: { redis: Connection }, cause: Error) {
    const error = cause instanceof BadReply ? cause : new BadReply('what came is no reply at all', { cause })
    const { stream } = this.redis
    if (stream.destroyed) return
    this.redis.recoverFromFatalError(error, error, { offlineQueue: false })
    stream.destroy()
  },
  shiftCommand (this: { redis: Connection }) {
    const item = this.redis.commandQueue.shift()
    if (!item) throw new BadReply('a reply came that nothing had asked for')
    return item
  }
})

const { write } = Decoder.prototype
const syntaxes = new WeakMap<Decoder, (chunk: Buffer) => void>()

/** ioredis also passes errors that are thrown here to `returnFatalError`. */
Decoder.prototype.write = function (chunk: Buffer) {
  const checkSyntax = syntaxes.get(this) ?? respSyntax()
  syntaxes.set(this, checkSyntax)
  checkSyntax(chunk)
  write.call(this, chunk)
}

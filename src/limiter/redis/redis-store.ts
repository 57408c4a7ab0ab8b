import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Cluster, type Redis, type Result } from 'ioredis'
import {
  assertTokens, BucketsApart, verdictOf, type Bucket, type Policy, type TokenStore, type Verdict
} from '../bucket/bucket.js'
import { bucketPattern, parseBucketKey } from '../bucket/key.js'
import { unavailable } from './failures.js'
import { trusted } from './redis-trust.js'
import { BadReply, checkedDeleted, checkedPage, checkedTakes, type Taken } from './replies.js'
import { slotOf } from './slots.js'

/**
 * After this time a request is decided without Redis. REDIS_TIMEOUT_MS overrides it. `withinDeadline` explains how the
 * time is measured.
 */
export const DEADLINE_MS = 100
/**
 * Keys of one script call. Larger calls save little more and delay Redis's other clients. They also make this process
 * and Redis wait for each other in turn. `npm run bench` measures it.
 */
const MAX_BATCH = 32
/** About how many keys one SCAN looks at. */
const SCANNED = 1000

/**
 * A bucket that gained tokens without a refill is announced here, so that replicas drop their cached denials. The
 * message is the key of a bucket that was reset. For a returned token, it is `RETURNED` followed by the key.
 */
export const RESET_CHANNEL = 'gatehouse:reset'
export const RETURNED = 'returned '

export const scripts = {
  takeTokens: { lua: readFileSync(new URL(import.meta.resolve('#lua/take.lua')), 'utf8') }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** lua/take.lua: the number of keys, the keys, and what `argumentsFor` says. See `checkedTakes`. */
    takeTokens: (...args: Array<string | number>) => Result<unknown, Context>
  }
}

interface PendingTake {
  key: string
  policy: Policy
  /** As in lua/take.lua: 0 looks, a negative one gives back. */
  cost: number
  dueMs: number | undefined
  /** The position in a pair of takes. The two takes of a pair are adjacent in a batch. */
  pair: 'first' | 'second' | undefined
  resolve: (verdict: Verdict) => void
  reject: (error: Error) => void
}

interface Deadline {
  /** Counted from when the take was first sent. */
  ms: number
  /** The instant at which the deadline ends, by `performance.now`. */
  atMs: number
}

/** Buckets that every replica shares. Takes of one turn of the event loop travel as one script call. */
export function createRedisStore (redis: Redis | Cluster, { deadlineMs = DEADLINE_MS } = {}): TokenStore {
  /** Grouped by policy, so that a call names each policy once. */
  let pending = new Map<Policy, PendingTake[]>()
  let waiting = 0
  let most = MAX_BATCH

  function flush (): void {
    if (waiting === 0) return
    const batch = [...pending.values()].flat()
    pending = new Map()
    waiting = 0
    // Each node of a cluster gets a call of its own.
    if (redis instanceof Cluster) most = MAX_BATCH * Math.max(1, redis.nodes('master').length)
    const deadline = { ms: deadlineMs, atMs: performance.now() + deadlineMs }
    if (redis instanceof Cluster) sendByNode(redis, batch, deadline)
    else send(redis, batch, deadline)
  }

  /** @param tokens how many tokens are taken or returned; undefined for a look */
  function enqueue ({ key, policy }: Bucket, cost: number, tokens?: number, dueMs?: number): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      if (tokens !== undefined) assertTokens(policy, tokens)
      add({ key, policy, cost, dueMs, pair: undefined, resolve, reject }, policy)
    })
  }

  function add (take: PendingTake, group: Policy): void {
    const ofGroup = pending.get(group)
    if (ofGroup) ofGroup.push(take)
    else pending.set(group, [take])
    // This is setImmediate and not a microtask. The requests of each socket arrive in a callback of their own, and all
    // callbacks of one turn run before its immediates.
    if (++waiting === 1) setImmediate(flush)
    else if (waiting === most) flush()
  }

  async function announce (message: string): Promise<void> {
    await redis.publish(RESET_CHANNEL, message)
  }

  return {
    take: (bucket, tokens = 1) => enqueue(bucket, tokens, tokens),

    takeBoth: (bucket, front) => new Promise((resolve, reject) => {
      // A pair must not be divided between two batches.
      if (waiting > most - 2) flush()
      const take = { cost: 1, dueMs: undefined, reject }
      const resolveFront = (verdict: Verdict): void => { if (!verdict.allowed) resolve([front, verdict]) }
      add({ ...front, ...take, pair: 'first', resolve: resolveFront }, front.policy)
      add({ ...bucket, ...take, pair: 'second', resolve: verdict => resolve([bucket, verdict]) }, front.policy)
    }),

    peek: bucket => enqueue(bucket, 0),
    charge: (bucket, tokens, dueMs) => enqueue(bucket, tokens, tokens, dueMs),

    async giveBack (bucket, tokens = 1) {
      const verdict = await enqueue(bucket, -tokens, tokens)
      // The bucket was empty, so others may hold cached denials. If the announcement fails, they end after a minute at
      // most.
      if (verdict.remaining <= tokens) await announce(RETURNED + bucket.key).catch(() => {})
      return verdict
    },

    async reset ({ key }) {
      try {
        const existed = await trusted(redis, key, redis.del(key), checkedDeleted)
        await announce(key)
        return existed
      } catch (cause) {
        throw unavailable(cause)
      }
    },

    knownRefusal: () => undefined,
    forget () {},

    async * list (filter = {}, onScanned = () => {}) {
      const match = bucketPattern(filter)
      try {
        for (const node of mastersOf(redis)) {
          let cursor = '0'
          const seen = new Set<string>()
          do {
            const page = await trusted(node, '', node.scan(cursor, 'MATCH', match, 'COUNT', SCANNED), checkedPage)
            onScanned(SCANNED)
            for (const key of page.keys) {
              const name = parseBucketKey(key)
              if (name) yield name
            }
            cursor = page.cursor
            if (seen.has(cursor)) throw new BadReply('a SCAN goes in circles')
            seen.add(cursor)
          } while (cursor !== '0')
        }
      } catch (cause) {
        throw unavailable(cause)
      }
    },

    async close () {
      redis.disconnect()
    }
  }
}

const mastersOf = (redis: Redis | Cluster): Redis[] => redis instanceof Cluster ? redis.nodes('master') : [redis]

/** How many keys a `list` without a filter would scan. @throws what ioredis rejects with */
export async function countKeys (redis: Redis | Cluster): Promise<number> {
  const counts = await Promise.all(mastersOf(redis).map(async (node) => {
    const keyspace = new RegExp(`^db${node.options.db ?? 0}:keys=(\\d+)`, 'm')
    return Number(keyspace.exec(await node.info('keyspace'))?.[1] ?? 0)
  }))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Counts all script calls of this process. Lua and JavaScript hold the number exactly for the lifetime of any process.
 */
let calls = 0

/** @param redis should have all the buckets. A bucket that it does not have is on another node */
async function send (redis: Redis | Cluster, batch: PendingTake[], deadline: Deadline): Promise<void> {
  await settle(batch, async () => {
    const call = ++calls
    const keys = batch.map(({ key }) => key)
    const reply = redis.takeTokens(keys.length, ...keys, ...argumentsFor(batch, call))
    return await withinDeadline(trusted(redis, keys[0]!, reply, reply => checkedTakes(reply, call, batch)), deadline)
  })
}

/**
 * A node of a cluster runs a script over buckets of many slots if none of them is declared as a key. The script reports
 * the buckets that the node does not have because their slot is moving or has moved. Nothing was taken from these. Each
 * of them is sent once more as the declared key of its own call, which is redirected to the right node.
 */
async function sendToNode (cluster: Cluster, node: Redis, batch: PendingTake[], deadline: Deadline): Promise<void> {
  const elsewhere = await settle(batch, async () => {
    const call = ++calls
    const keys = batch.map(({ key }) => key)
    const reply = node.takeTokens(0, keys.length, ...keys, ...argumentsFor(batch, call))
    return await withinDeadline(trusted(node, '', reply, reply => checkedTakes(reply, call, batch, true)), deadline)
  })
  for (const group of byKey(elsewhere)) send(cluster, group, deadline)
}

/**
 * @returns the takes that were not decided because another node of the cluster has their buckets. Pairs are left out:
 * it is unknown which of their buckets is elsewhere
 */
async function settle (batch: PendingTake[], ask: () => Promise<Array<Taken | undefined>>): Promise<PendingTake[]> {
  try {
    const taken = await ask()
    batch.forEach(({ policy, cost, pair, resolve, reject }, i) => {
      const of = taken[i]
      if (of) resolve(verdictOf(policy, cost, of.allowed, of.lacking, of.fullMs))
      else if (pair === 'first') reject(new BucketsApart())
    })
    return batch.filter(({ pair }, i) => !taken[i] && !pair)
  } catch (cause) {
    const error = unavailable(cause)
    for (const take of batch) take.reject(error)
    return []
  }
}

/** What follows the keys; lua/take.lua explains it. */
function argumentsFor (batch: PendingTake[], call: number): Array<string | number> {
  const first = batch[0]!.policy
  const args: Array<string | number> = [call, first.capacity, first.refill, first.periodMs]
  const pairs: Array<string | number> = []
  let last: Policy | undefined

  function name (policy: Policy, i: number): void {
    last = policy
    if (i > 0) args.push('policy', i + 1, policy.capacity, policy.refill, policy.periodMs)
    const { rivals, former } = policy
    for (const { refill, periodMs } of rivals ? [policy, ...rivals] : []) args.push('rival', refill, periodMs)
    for (const { refill, periodMs, endedAtMs } of former ?? []) args.push('former', refill, periodMs, endedAtMs)
  }

  for (let i = 0; i < batch.length; i++) {
    const { policy, pair } = batch[i]!
    if (pair) {
      name(policy, i)
      name(batch[i + 1]!.policy, i + 1)
      const count = pairsAlike(batch, i)
      pairs.push('both', i + 1, count)
      i += 2 * count - 1
    } else if (policy !== last) {
      name(policy, i)
    }
  }
  const seen = new Set<string>()
  batch.forEach(({ key, cost, dueMs }, i) => {
    if (seen.has(key)) args.push('again', i + 1)
    else seen.add(key)
    if (cost !== 1) args.push('cost', i + 1, cost)
    if (dueMs !== undefined) args.push('due', i + 1, dueMs)
  })
  args.push(...pairs)
  return args
}

/** How many pairs in a row, from this one on, have the same two policies. */
function pairsAlike (batch: PendingTake[], from: number): number {
  const [first, second] = batch.slice(from)
  let to = from + 2
  while (batch[to]?.pair && batch[to]!.policy === first!.policy && batch[to + 1]!.policy === second!.policy) to += 2
  return (to - from) / 2
}

/**
 * When the time is up, one more turn of the event loop reads replies that have already arrived. So a process that was
 * busy itself does not treat Redis as slow. A take that timed out may have counted, and is never sent again.
 */
async function withinDeadline<T> (reply: Promise<T>, { ms, atMs }: Deadline): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(setImmediate, atMs - performance.now(), () => {
      reject(new Error(`no reply within ${ms} ms`))
    })
  })
  try {
    return await Promise.race([reply, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/** In a cluster: all takes of a node as one call, if there are several. */
function sendByNode (cluster: Cluster, batch: PendingTake[], deadline: Deadline): void {
  const groups = new Map<Redis | undefined, PendingTake[]>()
  let node: Redis | undefined
  for (const take of batch) {
    // The second take of a pair goes to the node of the first.
    if (take.pair !== 'second') node = cluster.status === 'ready' ? nodeOf(cluster, take.key) : undefined
    const group = groups.get(node)
    if (!node && take.pair) take.reject(new BucketsApart())
    else if (group) group.push(take)
    else groups.set(node, [take])
  }
  for (const [node, group] of groups) {
    for (let from = 0, to; from < group.length; from = to) {
      to = from + MAX_BATCH
      if (group[to]?.pair === 'second') to--
      const part = group.slice(from, to)
      if (node && part.length > 1) sendToNode(cluster, node, part, deadline)
      else for (const same of byKey(part)) send(cluster, same, deadline)
    }
  }
}

/** The connection over which ioredis would send a command with this key. */
function nodeOf (cluster: Cluster, key: string): Redis | undefined {
  const [address] = cluster.slots[slotOf(key)] ?? []
  if (address === undefined) return undefined
  return (cluster as unknown as ConnectionPool).connectionPool.getInstanceByKey(address)
}

/** A private part of ioredis's Cluster. The public `nodes()` makes a new list at each call. */
interface ConnectionPool {
  connectionPool: { getInstanceByKey: (address: string) => Redis | undefined }
}

/**
 * Redis Cluster runs a script over declared keys of one slot only. While that slot moves, it allows only one key. Calls
 * with more keys fail with TRYAGAIN until the whole slot has moved.
 */
function byKey (batch: PendingTake[]): Iterable<PendingTake[]> {
  const groups = new Map<string, PendingTake[]>()
  for (const take of batch) {
    const group = groups.get(take.key)
    if (group) group.push(take)
    else groups.set(take.key, [take])
  }
  return groups.values()
}

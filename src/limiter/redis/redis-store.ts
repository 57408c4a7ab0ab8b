import { Cluster, type Redis } from 'ioredis'
import {
  ResetUnannounced, storeOf, type Ask, type Bucket, type BucketStore, type Policy, type Refill
} from '../bucket/bucket.js'
import { bucketPattern, fits, parseBucketKey } from '../bucket/key.js'
import { announceReset, announceReturned } from './announcements.js'
import { byNode, mastersOf, prefixOf } from './cluster.js'
import { DEADLINE_MS } from './connection.js'
import { readAdjusted, readTakes, unavailable } from './replies.js'

/**
 * Buckets of one script call. Larger calls save little more and delay Redis's other clients. They also make this
 * process and Redis wait for each other in turn. `npm run bench` measures it.
 */
const MAX_BATCH = 32
/** About how many keys one SCAN looks at. */
const SCANNED = 1000

/** The layer of cached denials trusts each for a minute at most. */
const UNANNOUNCED = 'What was reset so far is full in Redis, but replicas do not know: one that has refused such a ' +
  'client may refuse it for at most a minute more'

type Waiting = Parameters<Ask> extends [Bucket, ...infer Callbacks] ? Callbacks : never

/** Who waits for a token of each bucket. */
type Batch = Map<string, Waiting[]>

/**
 * Buckets that every replica shares. Takes of one policy and one turn of the event loop travel as one script call.
 * So do looks.
 *
 * @param onTake called for each take that Redis answered, with the seconds that the call took
 */
export function createRedisStore (
  redis: Redis | Cluster, { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
  onTake: (seconds: number) => void = () => {}
): BucketStore {
  let pending = new Map<Policy, Batch>()
  let most = MAX_BATCH
  let looks: Array<Parameters<Ask>> = []
  const prefix = prefixOf(redis)

  function take ({ key, policy }: Bucket, ...waiting: Waiting): void {
    // This is setImmediate and not a microtask. The requests of each socket arrive in a callback of their own, and all
    // callbacks of one turn run before its immediates.
    if (pending.size === 0) setImmediate(flush)
    let batch = pending.get(policy)
    if (!batch) pending.set(policy, batch = new Map())
    const others = batch.get(key)
    if (others) others.push(waiting)
    else batch.set(key, [waiting])
    if (batch.size < most) return
    pending.set(policy, new Map())
    send(policy, batch)
  }

  function flush (): void {
    const batches = pending
    pending = new Map()
    // Each node of a cluster gets a call of its own.
    if (redis instanceof Cluster) most = MAX_BATCH * Math.max(1, mastersOf(redis).length)
    for (const [policy, batch] of batches) send(policy, batch)
  }

  function send (policy: Policy, batch: Batch): void {
    if (!(redis instanceof Cluster)) return call(redis, policy, batch)
    // Redis Cluster runs a script over declared keys of one slot only. So a call of several buckets declares none.
    for (const [node, ofNode] of byNode(redis, batch)) {
      if (node && ofNode.size > 1) callNode(node, policy, ofNode)
      else for (const one of ofNode) call(redis, policy, new Map([one]))
    }
  }

  /** A node may get more than a call: the nodes of a batch are not known before. */
  function callNode (node: Redis, policy: Policy, ofNode: Batch): void {
    const all = [...ofNode]
    for (let from = 0; from < all.length; from += MAX_BATCH) {
      call(node, policy, new Map(all.slice(from, from + MAX_BATCH)), false)
    }
  }

  /** @param declared false for keys that are sent to a node of a cluster as arguments. It may not have all of them */
  function call (to: Redis | Cluster, policy: Policy, batch: Batch, declared = true): void {
    if (batch.size === 0) return
    const number = ++calls
    const keys = [...batch.keys()]
    const waiting = [...batch.values()]
    const wanted = waiting.map(({ length }) => length)
    const args = [number, policy.capacity, policy.refill, policy.periodMs, valueLackingOne(policy)]
    wanted.forEach((takes, i) => { if (takes > 1) args.push(i + 1, takes) })
    const reply = declared
      ? to.takeTokens(keys.length, ...keys, ...args)
      : to.takeTokens(0, keys.length, ...keys.map(key => prefix + key), ...args)
    within(reply, reply => readTakes(reply, number, policy, wanted), (answers, seconds) => {
      answers.forEach((verdicts, i) => {
        // Nothing was taken from a bucket whose slot is moving or has moved. As a declared key, it is redirected.
        if (!verdicts) return call(redis, policy, new Map([[keys[i]!, waiting[i]!]]))
        verdicts.forEach((verdict, take) => {
          onTake(seconds)
          waiting[i]![take]![0](verdict)
        })
      })
    }, (failure) => {
      for (const takes of waiting) for (const [, reject] of takes) reject(failure)
    })
  }

  function peek (...look: Parameters<Ask>): void {
    if (looks.push(look) === 1) setImmediate(flushLooks)
  }

  function flushLooks (): void {
    const all = looks
    looks = []
    // The buckets of a call to a cluster must be in one slot.
    const most = redis instanceof Cluster ? 1 : MAX_BATCH
    for (let from = 0; from < all.length; from += most) adjust(0, all.slice(from, from + most))
  }

  /** @param tokens how many come back to each bucket; 0 looks */
  function adjust (tokens: 0 | 1, asked: Array<Parameters<Ask>>): void {
    const number = ++calls
    const buckets = asked.map(([bucket]) => bucket)
    const reply = redis.adjustBuckets(buckets.length, ...buckets.map(({ key }) => key), number, tokens)
    within(reply, reply => readAdjusted(reply, number, buckets.map(({ policy }) => policy)), (verdicts) => {
      verdicts.forEach((verdict, i) => asked[i]![1](verdict))
    }, (failure) => {
      for (const [, , reject] of asked) reject(failure)
    })
  }

  /**
   * Gives what `read` makes of a reply to `use`, or calls `fail` at the deadline at the latest. The deadline has two
   * halves: a pause of this process or of its machine ends only the first, and Redis has the other one to answer. When
   * the time is up, one more turn of the event loop reads replies that have already arrived. A take that timed out may
   * have counted, and is never sent again.
   */
  function within<Read> (
    reply: Promise<unknown>, read: (reply: unknown) => Read, use: (read: Read, seconds: number) => void,
    fail: (failure: Error) => void
  ): void {
    const startedMs = performance.now()
    let ended = false
    const end = (): boolean => {
      const isFirst = !ended
      ended = true
      clearTimeout(timer)
      return isFirst
    }
    const failed = (cause: unknown): void => { if (end()) fail(unavailable(cause)) }
    const timeUp = (): void => failed(new Error(`no reply within ${deadlineMs} ms`))
    let timer = setTimeout(() => { timer = setTimeout(setImmediate, deadlineMs / 2, timeUp) }, deadlineMs / 2)
    reply.then((reply) => {
      let answer: Read
      try {
        answer = read(reply)
      } catch (error) {
        return failed(error)
      }
      if (end()) use(answer, (performance.now() - startedMs) / 1000)
    }, failed)
  }

  return storeOf({
    take,
    peek,

    giveBack: (bucket, resolve, reject) => adjust(1, [[bucket, (verdict) => {
      // The bucket was empty, so others may hold cached denials. If the announcement fails, they end after a minute at
      // most.
      if (verdict.remaining <= 1) announceReturned(redis, bucket.key).catch(() => {})
      resolve(verdict)
    }, reject]]),

    async reset ({ key }) {
      const deleted = await redis.del(key).catch((cause) => { throw unavailable(cause) })
      await announceReset(redis, key).catch((cause) => {
        const { message, ...failure } = unavailable(cause)
        throw new ResetUnannounced(`${message}. ${UNANNOUNCED}`, { ...failure, cause })
      })
      return deleted === 1
    },

    knownRefusal: () => undefined
  }, {
    async * list (filter = {}) {
      const match = prefix + bucketPattern(filter)
      try {
        for (const node of mastersOf(redis)) {
          let cursor = '0'
          do {
            const [next, keys] = await node.scan(cursor, 'MATCH', match, 'COUNT', SCANNED)
            for (const key of keys) {
              const name = parseBucketKey(key.slice(prefix.length))
              if (name && fits(name, filter)) yield name
            }
            cursor = next
          } while (cursor !== '0')
        }
      } catch (cause) {
        throw unavailable(cause)
      }
    },

    async close () { redis.disconnect() }
  })
}

/** Counts all script calls of this process. Lua and JavaScript hold the number exactly for the life of any process. */
let calls = 0

/** The units of periods: see lua/bucket.lua. */
const UNITS = [1000, 60_000, 3_600_000, 86_400_000]

/**
 * The value of a bucket that lacks one token, for lua/take.lua, which derives all others from it. The unit is the
 * largest that fits, so that every replica writes the same.
 */
function valueLackingOne ({ refill, periodMs }: Refill): number {
  const unit = UNITS.findLastIndex(ms => periodMs % ms === 0)
  return (((unit + 1) * 1000 + periodMs / UNITS[unit]!) * 100_000 + refill) * 10_000_000 + 1
}

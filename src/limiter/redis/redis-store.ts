import { Cluster, type Redis } from 'ioredis'
import {
  BucketStore, ResetUnannounced, type Ask, type BucketFilter, type BucketName, type Buckets, type Layer, type Policy,
  type Refill, type Verdict, type Waiting
} from '../bucket/bucket.js'
import { bucketPattern, matchesFilter, parseBucketKey } from '../bucket/key.js'
import { announce, announceReturned } from './announcements.js'
import { groupByNode, masterNodes, keyPrefix, refusesForeignKeys } from './cluster.js'
import { DEADLINE_MS } from './redis-connection.js'
import { withDeadline } from './deadline.js'
import { isForOneKey, toStoreUnavailable } from './failures.js'
import { parseAdjusted, parseTakes } from './replies.js'

/**
 * Buckets of one script call. Larger calls save little more and delay Redis's other clients. They also make this
 * process and Redis wait for each other in turn. `npm run bench` measures it.
 */
const MAX_BATCH = 32
/** About how many keys one SCAN looks at. */
const SCANNED = 1000

/** How long a cached denial is trusted is MAX_TRUST_MS of layers/deny-cache.ts. */
const UNANNOUNCED = 'What was reset so far is full in Redis, but replicas do not know: one that has refused such a ' +
  'client may refuse it for at most a minute more'

/** The callers that wait for a token, by bucket. */
type Batch = Map<string, Waiting[]>

/**
 * Buckets that every replica shares. Takes of one policy and one turn of the event loop travel as one script call.
 * So do looks.
 */
export class RedisBuckets implements Buckets {
  readonly #prefix: string
  #pending = new Map<Policy, Batch>()
  #most = MAX_BATCH
  /** Whether each call has one bucket, because the server has its keys in several places behind one address. */
  #single = false
  /** Whether the nodes of the cluster refuse keys of other nodes. Undefined until they were asked. */
  #refuse: boolean | undefined
  #looks: Array<Parameters<Ask>> = []

  /** @param onTake called for each take that Redis answered, with the seconds that the call took */
  constructor (
    private readonly redis: Redis | Cluster, private readonly deadlineMs: number,
    private readonly onTake?: (seconds: number) => void
  ) {
    this.#prefix = keyPrefix(redis)
  }

  readonly take: Ask = ({ key, policy }, ...waiting) => {
    // This is setImmediate and not a microtask. The requests of each socket arrive in a callback of their own, and all
    // callbacks of one turn run before its immediates.
    if (this.#pending.size === 0) setImmediate(() => this.#flush())
    let batch = this.#pending.get(policy)
    if (!batch) this.#pending.set(policy, batch = new Map())
    const others = batch.get(key)
    if (others) others.push(waiting)
    else batch.set(key, [waiting])
    if (batch.size < this.#most) return
    this.#pending.set(policy, new Map())
    this.#send(policy, batch)
  }

  readonly peek: Ask = (...look) => {
    if (this.#looks.push(look) === 1) setImmediate(() => this.#flushLooks())
  }

  readonly giveBack: Ask = (bucket, resolve, reject) => this.#adjust(1, [[bucket, (verdict) => {
    // The bucket was empty, so others may hold cached denials. If the announcement fails, they end after a minute at
    // most.
    if (verdict.remaining <= 1) announceReturned(this.redis, bucket.key).catch(() => {})
    resolve(verdict)
  }, reject]])

  readonly reset: Layer['reset'] = async ({ key }) => {
    const deleted = await this.redis.del(key).catch((cause) => { throw toStoreUnavailable(cause) })
    await announce(this.redis, key).catch((cause) => {
      const { message, ...failure } = toStoreUnavailable(cause)
      throw new ResetUnannounced(`${message}. ${UNANNOUNCED}`, { ...failure, cause })
    })
    return deleted === 1
  }

  async * list (filter: BucketFilter = {}): AsyncIterable<BucketName> {
    const match = this.#prefix + bucketPattern(filter)
    try {
      for (const node of masterNodes(this.redis)) {
        let cursor = '0'
        do {
          const [next, keys] = await node.scan(cursor, 'MATCH', match, 'COUNT', SCANNED)
          for (const key of keys) {
            const name = parseBucketKey(key.slice(this.#prefix.length))
            if (name && matchesFilter(name, filter)) yield name
          }
          cursor = next
        } while (cursor !== '0')
      }
    } catch (cause) {
      throw toStoreUnavailable(cause)
    }
  }

  async close (): Promise<void> { this.redis.disconnect() }

  #flush (): void {
    const batches = this.#pending
    this.#pending = new Map()
    // Each node of a cluster gets a call of its own.
    if (this.redis instanceof Cluster) this.#most = MAX_BATCH * Math.max(1, masterNodes(this.redis).length)
    for (const [policy, batch] of batches) this.#send(policy, batch)
  }

  #send (policy: Policy, batch: Batch): void {
    if (this.#single) return this.#callEach(policy, batch)
    if (!(this.redis instanceof Cluster)) return this.#call(this.redis, policy, batch)
    // Redis Cluster runs a script over declared keys of one slot only. So a call of several buckets declares none.
    for (const [node, ofNode] of groupByNode(this.redis, batch)) {
      if (node && ofNode.size > 1 && this.#refuseForeign(this.redis)) this.#callNode(node, policy, ofNode)
      else this.#callEach(policy, ofNode)
    }
  }

  #callEach (policy: Policy, batch: Batch): void {
    for (const one of batch) this.#call(this.redis, policy, new Map([one]))
  }

  /** Whether calls may declare no keys: a node that has none of them must not make a bucket of its own. */
  #refuseForeign (cluster: Cluster): boolean {
    if (this.#refuse !== undefined || masterNodes(cluster).length < 2) return this.#refuse ?? true
    this.#refuse = false
    refusesForeignKeys(cluster).then((refuses) => { this.#refuse = refuses }, () => { this.#refuse = undefined })
    return false
  }

  /** A node may get more than a call: the nodes of a batch are not known before. */
  #callNode (node: Redis, policy: Policy, ofNode: Batch): void {
    const all = [...ofNode]
    for (let from = 0; from < all.length; from += MAX_BATCH) {
      this.#call(node, policy, new Map(all.slice(from, from + MAX_BATCH)), false)
    }
  }

  /** @param declared false for keys that are sent to a node of a cluster as arguments. It may not have all of them */
  #call (to: Redis | Cluster, policy: Policy, batch: Batch, declared = true): void {
    if (batch.size === 0) return
    const number = ++calls
    const keys = [...batch.keys()]
    const waiting = [...batch.values()]
    const wanted = waiting.map(({ length }) => length)
    const args = [number, policy.capacity, policy.refill, policy.periodMs, valueLackingOne(policy)]
    wanted.forEach((takes, i) => { if (takes > 1) args.push(i + 1, takes) })
    const reply = declared
      ? to.takeTokens(keys.length, ...keys, ...args)
      : to.takeTokens(0, keys.length, ...keys.map(key => this.#prefix + key), ...args)
    withDeadline(this.deadlineMs, reply, reply => parseTakes(reply, number, policy, wanted), (answers, seconds) => {
      answers.forEach((verdicts, i) => {
        // Nothing was taken from a bucket whose slot is moving or has moved. As a declared key, it is redirected.
        if (!verdicts) return this.#call(this.redis, policy, new Map([[keys[i]!, waiting[i]!]]))
        verdicts.forEach((verdict, take) => {
          this.onTake?.(seconds)
          waiting[i]![take]![0](verdict)
        })
      })
    }, (failure) => {
      if ((keys.length > 1 || !declared) && isForOneKey(failure)) {
        this.#single = true
        return this.#callEach(policy, batch)
      }
      for (const takes of waiting) for (const [, reject] of takes) reject(failure)
    })
  }

  #flushLooks (): void {
    const all = this.#looks
    this.#looks = []
    // The buckets of a call to a cluster must be in one slot.
    const most = this.#single || this.redis instanceof Cluster ? 1 : MAX_BATCH
    for (let from = 0; from < all.length; from += most) this.#adjust(0, all.slice(from, from + most))
  }

  /** @param tokens how many come back to each bucket; 0 looks */
  #adjust (tokens: 0 | 1, asked: Array<Parameters<Ask>>): void {
    const number = ++calls
    const buckets = asked.map(([bucket]) => bucket)
    const reply = this.redis.adjustBuckets(buckets.length, ...buckets.map(({ key }) => key), number, tokens)
    const read = (reply: unknown): Verdict[] => parseAdjusted(reply, number, buckets.map(({ policy }) => policy))
    withDeadline(this.deadlineMs, reply, read, (verdicts) => {
      verdicts.forEach((verdict, i) => asked[i]![1](verdict))
    }, (failure) => {
      if (asked.length > 1 && isForOneKey(failure)) {
        this.#single = true
        for (const one of asked) this.#adjust(tokens, [one])
        return
      }
      for (const [, , reject] of asked) reject(failure)
    })
  }
}

export function createRedisStore (
  redis: Redis | Cluster, { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {}
): BucketStore {
  const buckets = new RedisBuckets(redis, deadlineMs)
  return new BucketStore(buckets, buckets)
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

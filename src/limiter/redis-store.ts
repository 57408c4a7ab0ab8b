import { readFileSync } from 'node:fs'
import { Cluster, type Redis, type Result } from 'ioredis'
import { assertCost, StoreUnavailable, verdictOf, type BucketStore, type Policy, type Verdict } from './bucket.js'
import { bucketKey, parseBucketKey } from './key.js'
import { trusted } from './redis-trust.js'
import { BadReply, checkedDeleted, checkedPage, checkedTakes } from './replies.js'

/** Past this, unless REDIS_TIMEOUT_MS says otherwise, a request is decided without Redis; see `withinDeadline` for how it is measured. */
export const DEADLINE_MS = 100
/**
 * Keys of one script call. Larger calls save little more, hold up Redis's other clients, and leave this process idle
 * while Redis works and the other way round: `npm run bench` measures it.
 */
const MAX_BATCH = 32

/**
 * Tokens that no refill brought are announced here, so that no replica goes on refusing. The message is the key of a bucket
 * that was reset; of one that a token came back to, it is the key with `RETURNED` in front.
 */
export const RESET_CHANNEL = 'gatehouse:reset'
export const RETURNED = 'returned '

export const scripts = {
  takeTokens: { lua: readFileSync(new URL(import.meta.resolve('#lua/take.lua')), 'utf8') }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** lua/take.lua: the number of keys, the keys, four numbers a key, the call's number, three numbers for some keys. See `checkedTakes`. */
    takeTokens: (...args: Array<string | number>) => Result<unknown, Context>
  }
}

interface PendingTake {
  key: string
  policy: Policy
  cost: number
  dueMs: number | undefined
  resolve: (verdict: Verdict) => void
  reject: (error: Error) => void
}

/** Buckets that every replica shares. Takes of one turn of the event loop travel as one script call. */
export function createRedisStore (redis: Redis | Cluster, { deadlineMs = DEADLINE_MS } = {}): BucketStore {
  let pending: PendingTake[] = []

  function flush (): void {
    const batch = pending
    pending = []
    if (batch.length === 0) return
    for (const group of redis instanceof Cluster ? byKey(batch) : [batch]) send(redis, group, deadlineMs)
  }

  function enqueue (policy: Policy, key: string, cost: number, dueMs: number | undefined): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      assertCost(policy, cost)
      pending.push({ key, policy, cost, dueMs, resolve, reject })
      // setImmediate, not a microtask: each socket's requests arrive in a callback of their own, and all the
      // callbacks of one turn run before the immediates do.
      if (pending.length === 1) setImmediate(flush)
      else if (pending.length === MAX_BATCH) flush()
    })
  }

  async function announce (message: string): Promise<void> {
    await redis.publish(RESET_CHANNEL, message)
  }

  return {
    async take (policy, client, cost = 1, dueMs) {
      const key = bucketKey({ policy: policy.name, client })
      const verdict = await enqueue(policy, key, cost, dueMs)
      // Tokens came back to a bucket that had none, so others may remember refusals; unheard, for a minute at most.
      if (cost < 0 && verdict.remaining <= -cost) await announce(RETURNED + key).catch(() => {})
      return verdict
    },

    async reset (id) {
      const key = bucketKey(id)
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

    async * list (filter = {}) {
      const match = bucketKey({ policy: filter.policy ?? '*', client: filter.client ?? '*' })
      try {
        for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
          let cursor = '0'
          const seen = new Set<string>()
          do {
            const page = await trusted(node, '', node.scan(cursor, 'MATCH', match, 'COUNT', 1000), checkedPage)
            for (const key of page.keys) {
              const id = parseBucketKey(key)
              if (id) yield id
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

/** Of all script calls of this process. A number that Lua and JavaScript hold exactly is enough for any life of one. */
let calls = 0

async function send (redis: Redis | Cluster, batch: PendingTake[], deadlineMs: number): Promise<void> {
  try {
    const call = ++calls
    const checked = trusted(redis, batch[0]!.key, redis.takeTokens(...argumentsFor(batch, call)), reply => checkedTakes(reply, call, batch))
    const reply = await withinDeadline(checked, deadlineMs)
    batch.forEach(({ policy, cost, resolve }, i) => {
      const lacking = reply[2 * i]!
      resolve(verdictOf(policy, cost, lacking >= 0, Math.abs(lacking), reply[2 * i + 1]!))
    })
  } catch (cause) {
    const error = unavailable(cause)
    for (const take of batch) take.reject(error)
  }
}

function argumentsFor (batch: PendingTake[], call: number): Array<string | number> {
  const args: Array<string | number> = [batch.length]
  for (const { key } of batch) args.push(key)
  for (const { policy, cost } of batch) args.push(policy.capacity, policy.refill, policy.periodMs, cost)
  args.push(call)
  batch.forEach(({ policy, dueMs }, i) => {
    if (policy.rivals) for (const { refill, periodMs } of [policy, ...policy.rivals]) args.push(i + 1, refill, periodMs)
    if (dueMs !== undefined) args.push(i + 1, 0, dueMs)
  })
  return args
}

/** What ioredis says when it has no connection that it could send a take over. */
const NOT_SENT = /Stream isn't writeable|Cluster isn't ready/
/** And when it may have sent it before: it names its own options, which nobody can set here. */
const NO_CONNECTION = new RegExp(`${NOT_SENT.source}|max retries per request|Connection is closed|connection close$`)

/** What a node of a cluster says to who takes it for the only server. */
const ONE_OF_CLUSTER = /^(CROSSSLOT|MOVED|ASK) /

/** What Redis says with the code `ERR` when its user may not run a command of a script: the first before 7.2, the other since. */
const DENIED_IN_SCRIPT = /^ERR (The user executing the script can't run this command|ACL failure in script)/

/** Where in the script it happened: without this, one reason would be told once for each place. */
const PLACE_IN_SCRIPT = / script: [0-9a-f]{40}, on @user_script:\d+\.?$/

/** What the failure of a command means for a take. */
export function unavailable (cause: unknown): StoreUnavailable {
  const { name, message: said } = cause instanceof Error ? cause : new Error(String(cause))
  const message = said.replace(PLACE_IN_SCRIPT, '')
  // A take that Redis answered with an error, or that was not sent, did not count.
  const mayHaveCounted = name !== 'ReplyError' && !NOT_SENT.test(message)
  return new StoreUnavailable(explained(name, message), { cause, reason: reasonOf(name, message), mayHaveCounted })
}

function reasonOf (name: string, message: string): string {
  if (name === BadReply.name) return 'bad_reply'
  if (DENIED_IN_SCRIPT.test(message)) return 'NOPERM'
  if (name === 'ReplyError') return /^[A-Z]{1,20}\b/.exec(message)?.[0] ?? 'unknown'
  if (/Cluster redirections/.test(message)) return 'MOVED'
  return NO_CONNECTION.test(message) ? 'no_connection' : 'no_reply'
}

function explained (name: string, message: string): string {
  if (name === BadReply.name) return `Redis, or a proxy in front of it, answers nonsense: ${message}`
  if (NO_CONNECTION.test(message)) return 'Redis does not answer: there is no connection that is ready'
  if (ONE_OF_CLUSTER.test(message)) return `REDIS_URL names one node of a cluster: name several, comma-separated (${message})`
  return `Redis does not answer: ${message}`
}

/**
 * When the time is up, one more turn of the event loop reads what has already arrived: a process that was busy itself
 * does not take Redis for slow. A take that ran out of time may have counted and is never sent again.
 */
async function withinDeadline<T> (reply: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(setImmediate, deadlineMs, () => {
      reject(new Error(`no reply within ${deadlineMs} ms`))
    })
  })
  try {
    return await Promise.race([reply, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Redis Cluster runs a script over the keys of one slot only, and while a slot moves over one of its keys only: more are
 * refused with TRYAGAIN until all of the slot has moved. Two buckets of a batch are hardly ever in one slot anyway.
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

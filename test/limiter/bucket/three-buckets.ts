import type { Redis } from 'ioredis'
import { giveBack, peek, take, type Stored } from '#src/limiter/bucket/algorithm.js'
import type { Policy, Verdict } from '#src/limiter/bucket/bucket.js'
import { parseAdjusted, parseTakes } from '#src/limiter/redis/replies.js'
import { scripts } from '#src/limiter/redis/scripts.js'
import { createModel, type Answer, type ModelBucket } from './model.js'

/** The same bucket three times: a key in Redis, a model, and what memory stores. */
export interface Trio { key: string, model: ModelBucket, memory: Stored | undefined }

/**
 * All three share the same virtual time: before a script decides, the expiry of each key is set to where it would be.
 * Before Redis 7.2 the clock continues during a script. If the millisecond changes during a decision, that decision is
 * undone and repeated.
 *
 * KEYS are the buckets; ARGV are whether to declare them, their times to live, and the arguments of the script.
 */
const atVirtualTime = (script: string): string => `
local function decide (KEYS, ARGV) ${script}
end
local function ms () local now = redis.call('TIME') return now[1] * 1000 + math.floor(now[2] / 1000) end
local before, after, started = {}, {}, ms()
for i, key in ipairs(KEYS) do
  before[i] = redis.call('GET', key)
  local ttl = ARGV[i + 1]
  if ttl == '0' then redis.call('DEL', key) elseif ttl ~= 'lost' then redis.call('PEXPIRE', key, ttl) end
end
local reply = decide(ARGV[1] == 'true' and KEYS or {}, { unpack(ARGV, #KEYS + 2) })
for i, key in ipairs(KEYS) do after[i] = { redis.call('GET', key), redis.call('PTTL', key) } end
local again = ms() ~= started
for i, key in ipairs(KEYS) do
  if again and before[i] then redis.call('SET', key, before[i]) elseif again then redis.call('DEL', key) end
  redis.call('PERSIST', key) -- or it would expire in Redis's own time before the next decision
end
return not again and { reply, after }
`

/** A bucket in memory cannot be without an expiry. It is later than any refill instead. */
const NEVER = 2 ** 52
/** The number of each call. */
const CALL = 7

export function loseExpiry ({ model, memory }: Trio): void {
  model.loseExpiry()
  if (memory) memory.fullAtMs = NEVER
}

/** To be called whenever time has passed. */
export function expire (trio: Trio, nowMs: number): void {
  const held = trio.model.held()
  if (!held || held.fullAtMs > nowMs) return
  trio.model.expire()
  trio.memory = undefined
}

export type ThreeBuckets = Awaited<ReturnType<typeof threeBuckets>>

/** @param onMismatch called if the three disagree about a decision, or about what is stored afterwards */
export async function threeBuckets (redis: Redis, onMismatch: (mismatch: object) => void) {
  const takeScript = await redis.script('LOAD', atVirtualTime(scripts.takeTokens.lua)) as string
  const adjustScript = await redis.script('LOAD', atVirtualTime(scripts.adjustBuckets.lua)) as string

  /** @returns the reply of the script, and what is stored for each bucket then: the value, and when it is full */
  async function call (
    sha: string, trios: Trio[], nowMs: number, isDeclared: boolean, args: Array<string | number>
  ): Promise<[reply: unknown, stored: unknown[]]> {
    const fullAt = trios.map(({ model }) => model.held()?.fullAtMs ?? nowMs)
    const ttls = fullAt.map(fullAtMs => fullAtMs === Infinity ? 'lost' : fullAtMs - nowMs)
    const keys = trios.map(({ key }) => key)
    const node = isDeclared ? [] : [keys.length, ...keys]
    let result: unknown
    do result = await redis.evalsha(sha, keys.length, ...keys, String(isDeclared), ...ttls, ...node, ...args)
    while (result === null)
    const [reply, after] = result as [unknown, Array<[value: string | null, ttl: number]>]
    return [reply, after.map(([value, ttl]) => value && [value, ttl === -1 ? NEVER : nowMs + ttl])]
  }

  function compare (
    { model, memory }: Trio, answers: Answer[], inRedis: Verdict[], stored: unknown, inMemory: Verdict, decision: object
  ): void {
    const held = model.held()
    const fullAtMs = held?.fullAtMs === Infinity ? NEVER : held?.fullAtMs
    const expected = [
      answers, held ? [held.value, fullAtMs] : null,
      answers.at(-1), held && [held.lacked, held.refill, held.periodMs, fullAtMs]
    ]
    const found = [
      inRedis.map(answerOf), stored,
      answerOf(inMemory), memory && [memory.lacked, memory.refill, memory.periodMs, memory.fullAtMs]
    ]
    if (JSON.stringify(found) !== JSON.stringify(expected)) onMismatch({ ...decision, expected, found })
  }

  return {
    /**
     * Takes from several buckets in one call.
     *
     * @param isDeclared whether the keys are declared. They are not if a node of a cluster is called
     * @returns the answers to the takes of each bucket
     */
    async take (
      wanted: Array<{ trio: Trio, takes: number }>, limit: Policy, nowMs: number, isDeclared: boolean
    ): Promise<Answer[][]> {
      const { capacity, refill, periodMs } = limit
      const lackingOne = createModel()
      lackingOne.take(limit, nowMs)
      const again = wanted.flatMap(({ takes }, i) => takes > 1 ? [i + 1, takes] : [])
      const args = [CALL, capacity, refill, periodMs, lackingOne.held()!.value, ...again]
      const before = wanted.map(({ trio }) => trio.model.held())
      const [reply, stored] = await call(takeScript, wanted.map(({ trio }) => trio), nowMs, isDeclared, args)
      const inRedis = parseTakes(reply, CALL, limit, wanted.map(({ takes }) => takes))

      return wanted.map(({ trio, takes }, i) => {
        const answers = Array.from({ length: takes }, () => trio.model.take(limit, nowMs))
        const inMemory = take(trio.memory, limit, nowMs, takes)
        trio.memory = inMemory.stored
        const decision = { limit, takes, nowMs, isDeclared, before: before[i] }
        compare(trio, answers, inRedis[i]!, stored[i], inMemory.verdict, decision)
        return answers
      })
    },

    /** Returns a token, or looks. */
    async adjust (trio: Trio, limit: Policy, nowMs: number, returned: 0 | 1): Promise<void> {
      const before = trio.model.held()
      const [reply, stored] = await call(adjustScript, [trio], nowMs, true, [CALL, returned])
      const inMemory = returned === 1
        ? giveBack(trio.memory, limit, nowMs)
        : { verdict: peek(trio.memory, limit, nowMs), stored: trio.memory }
      trio.memory = inMemory.stored
      const answer = returned === 1 ? trio.model.giveBack(limit, nowMs) : trio.model.peek(limit, nowMs)
      const decision = { limit, returned, nowMs, before }
      compare(trio, [answer], parseAdjusted(reply, CALL, [limit]), stored[0], inMemory.verdict, decision)
    }
  }
}

const answerOf = ({ allowed, remaining, waitMs, nextMs }: Verdict): Answer => ({ allowed, remaining, waitMs, nextMs })

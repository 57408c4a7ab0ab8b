import { Ratelimit } from '@upstash/ratelimit'
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import type { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Policy } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { scripts } from '#src/limiter/redis/scripts.js'

/** What a limiter asks of Redis for one take, or for a batch of them. */
export interface Call {
  lua: string
  keys: string[]
  args: Array<string | number>
}

/**
 * A limiter, as Redis sees it. The installed library gets a client that records its calls, so they are what the library
 * really sends, including its script.
 */
export interface Limiter {
  name: string
  /** One take of each client, in calls of `clientsPerCall`. */
  calls: (policy: Policy, clients: string[]) => Promise<Call[]>
  clientsPerCall: number
  /** False for a script that limits nothing. */
  refuses: boolean
  /** How many of a call's takes were admitted, from Redis's reply. */
  admitted: (reply: number[], policy: Policy) => number
}

/** The lowest cost of a script that is sent like ours. All other costs are multiples of it. */
export const returns1: Limiter = {
  name: 'a script that returns 1',
  clientsPerCall: 1,
  refuses: false,
  calls: async (policy, clients) => (await ours(1).calls(policy, clients)).map(call => ({ ...call, lua: 'return 1' })),
  admitted: () => 1
}

/** The same without reading the arguments, to show their part of the cost. */
export const returns1Bare: Limiter = {
  ...returns1,
  name: 'a script that returns 1, no arguments',
  calls: async (policy, clients) => (await returns1.calls(policy, clients)).map(call => ({ ...call, args: [] }))
}

export const ours = (clientsPerCall: number): Limiter => ({
  name: clientsPerCall === 1 ? 'gatehouse, one take a call' : `gatehouse, ${clientsPerCall} takes a call`,
  clientsPerCall,
  refuses: true,
  async calls (policy, clients) {
    const calls: Call[] = []
    const store = createRedisStore({
      options: {},
      async takeTokens (numKeys: number, ...rest: Array<string | number>) {
        calls.push({ lua: scripts.takeTokens.lua, keys: rest.slice(0, numKeys) as string[], args: rest.slice(numKeys) })
        // Each bucket lacks one token, which comes within a millisecond. The call's number follows the keys.
        return [...Array(numKeys).fill(2 ** 32 + 1), String(rest[numKeys])]
      }
    } as unknown as Redis)
    for (let i = 0; i < clients.length; i += clientsPerCall) {
      await Promise.all(clients.slice(i, i + clientsPerCall).map(client => store.take(bucketOf(policy, client))))
    }
    return calls
  },
  admitted: reply => reply.slice(0, -1).filter(packed => packed >= 0).length
})

const fastifyRateLimit: Limiter = {
  name: '@fastify/rate-limit',
  clientsPerCall: 1,
  refuses: true,
  async calls ({ capacity, periodMs }, clients) {
    const calls: Call[] = []
    const app = fastify()
    await app.register(rateLimit, { max: capacity, timeWindow: periodMs, redis: catchingIoredis(calls) })
    app.get('/', async () => 'ok')
    for (const remoteAddress of clients) await app.inject({ url: '/', remoteAddress })
    await app.close()
    return calls
  },
  admitted: ([current], { capacity }) => current! <= capacity ? 1 : 0
}

const rateLimiterFlexible: Limiter = {
  name: 'rate-limiter-flexible',
  clientsPerCall: 1,
  refuses: true,
  async calls ({ capacity, periodMs }, clients) {
    const calls: Call[] = []
    const limiter = new RateLimiterRedis({
      storeClient: catchingIoredis(calls), points: capacity, duration: periodMs / 1000
    })
    for (const client of clients) await limiter.consume(client)
    return calls
  },
  admitted: ([consumed], { capacity }) => consumed! <= capacity ? 1 : 0
}

const upstash: Limiter = {
  name: '@upstash/ratelimit, token bucket',
  clientsPerCall: 1,
  refuses: true,
  async calls ({ capacity, refill, periodMs }, clients) {
    const calls: Call[] = []
    const redis = {
      evalsha: () => Promise.reject(new Error('NOSCRIPT')),
      async eval (lua: string, keys: string[], args: number[]) {
        // A flag that only Upstash's own server knows, and that Redis refuses.
        calls.push({ lua: lua.replace('#!lua flags=allow-key-locking', ''), keys, args })
        return [1, 1, 1]
      },
      get: async () => null,
      set: async () => 'OK'
    }
    const limiter = new Ratelimit({
      redis: redis as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis'],
      limiter: Ratelimit.tokenBucket(refill, `${periodMs} ms`, capacity),
      ephemeralCache: false
    })
    for (const client of clients) await limiter.limit(client)
    return calls
  },
  admitted: ([remaining]) => remaining! >= 0 ? 1 : 0
}

export const rivals = [fastifyRateLimit, rateLimiterFlexible, upstash]

/** ioredis as limiters of one key use it: they define a command and call it, with a callback or without. */
function catchingIoredis (calls: Call[]): object {
  const redis: Record<string, unknown> = {
    defineCommand (name: string, { lua }: { lua: string }) {
      redis[name] = (...values: unknown[]) => {
        const callback = typeof values.at(-1) === 'function'
          ? values.pop() as (error: null, reply: number[]) => void
          : undefined
        const [key, ...args] = values.flat().map(String)
        calls.push({ lua, keys: [key!], args })
        callback?.(null, [1, 1000])
        return Promise.resolve([1, 1000])
      }
    }
  }
  return redis
}

/** Addresses from 198.18.0.0/15, the block for benchmarks. */
export const testClients = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `198.18.${i >> 8}.${i & 255}`)

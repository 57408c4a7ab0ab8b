import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { readConfig } from '#src/config.js'
import { parseLimits } from '#src/limiter/policies.js'
import { connect } from '#src/limiter/redis.js'
import errorShape from '#src/plugins/error-shape.js'
import limiter from '#src/plugins/limiter.js'
import metrics from '#src/plugins/metrics.js'

// A server of a process of its own, for http.ts: says its port, then tells its CPU time whenever it is asked.

type Limit = { capacity: number, period: string, timeWindow: string }

/** One that nobody reaches, and one that everybody has reached after the first request. */
const ample: Limit = { capacity: 1_000_000, period: '1s', timeWindow: '1 second' }
const tiny: Limit = { capacity: 1, period: '1h', timeWindow: '1 hour' }

async function useOurs (app: FastifyInstance, redisUrl: string, { capacity, period }: Limit): Promise<void> {
  const limits = parseLimits(JSON.stringify({ policies: { general: { capacity, refill: capacity, period } } }))
  await app.register(errorShape)
  await app.register(metrics)
  await app.register(fp(async () => {}, { name: 'cors' })) // what the limiter wants before it, and what a bare server has not
  await app.register(limiter, { config: { ...readConfig({ REDIS_URL: redisUrl }), limits } })
}

async function useRival (app: FastifyInstance, redisUrl: string, { capacity, timeWindow }: Limit): Promise<void> {
  await app.register(rateLimit, { max: capacity, timeWindow, redis: await connect(redisUrl) })
}

const setups: Record<string, (app: FastifyInstance, redisUrl: string) => Promise<void>> = {
  bare: async () => {},
  'ours-admits': (app, redisUrl) => useOurs(app, redisUrl, ample),
  'ours-refuses': (app, redisUrl) => useOurs(app, redisUrl, tiny),
  'rival-admits': (app, redisUrl) => useRival(app, redisUrl, ample),
  'rival-refuses': (app, redisUrl) => useRival(app, redisUrl, tiny)
}

const [setup, redisUrl] = process.argv.slice(2) as [string, string]
const app = fastify()
await setups[setup]!(app, redisUrl)
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', () => process.send!(process.cpuUsage()))
process.on('disconnect', () => process.exit())
process.send!(app.listeningOrigin)

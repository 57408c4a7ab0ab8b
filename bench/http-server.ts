import { createHash } from 'node:crypto'
import cors from '@fastify/cors'
import httpProxy from '@fastify/http-proxy'
import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import { connect } from '#src/limiter/redis/redis-connection.js'

// A rival of http.ts in a process of its own: sends its URL, then its CPU time whenever it is asked. Its arguments: the
// name of a setup, a Redis or, for a proxy, what it stands before, and an answer of gatehouse to give as JSON:
// { status, headers, body }.

interface Answer { status: number, headers: Record<string, string>, body: string }

const [setup, redisUrl, answer] = [process.argv[2]!, process.argv[3]!, JSON.parse(process.argv[4] ?? '{}') as Answer]

/** No client reaches the first limit, and every client reaches the second one with its first request. */
const ample: RateLimitPluginOptions = { max: 1_000_000, timeWindow: '1 second' }
const tiny: RateLimitPluginOptions = { max: 1, timeWindow: '1 hour' }

/** Rivals answer with their own texts, so the lengths of their answers differ. */
const greet = (app: FastifyInstance): void => { app.get('/*', async () => ({ hello: 'world' })) }

async function limited (app: FastifyInstance, limit: RateLimitPluginOptions): Promise<void> {
  const nameSpace = `rival-${createHash('sha1').update(setup).digest('hex')}:`
  await app.register(rateLimit, { ...limit, redis: await connect(redisUrl, () => {}, 1000), nameSpace })
}

/**
 * A live connection to Redis, as any service with shared limits has one. Beside requests, a second kind of stream makes
 * Node's own code slower.
 */
async function keepRedis (): Promise<void> {
  const redis = await connect(redisUrl)
  setInterval(() => redis.ping(), 10)
}

/** What a user would build: CORS, a limiter on the same Redis, a histogram, a log. */
async function usual (limit: RateLimitPluginOptions): Promise<FastifyInstance> {
  const app = fastify({ logger: true, trustProxy: '127.0.0.1' })
  const registers = [new Registry()]
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'duration',
    labelNames: ['method', 'route', 'status'],
    registers
  })
  const requests = new Counter({ name: 'http_requests_total', help: 'requests', labelNames: ['status'], registers })
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode
    }
    seconds.observe(labels, reply.elapsedTime / 1000)
    requests.inc({ status: reply.statusCode })
  })
  await app.register(cors, { origin: ['https://school.example'] })
  await limited(app, limit)
  return app
}

const setups: Record<string, () => Promise<FastifyInstance>> = {
  bare: async () => {
    const app = fastify()
    greet(app)
    return app
  },
  same: async () => {
    const app = fastify()
    await keepRedis()
    app.get('/*', (_request, reply) => { reply.code(answer.status).headers(answer.headers).send(answer.body) })
    return app
  },
  proxy: async () => {
    const app = fastify()
    await app.register(httpProxy, { upstream: redisUrl, prefix: '/api/student', rewritePrefix: '/api/student' })
    return app
  },
  'usual-admits': async () => await usual(ample),
  'usual-refuses': async () => await usual(tiny),
  'limiter-admits': async () => {
    const app = fastify({ trustProxy: '127.0.0.1' })
    await limited(app, ample)
    return app
  },
  'limiter-refuses': async () => {
    const app = fastify({ trustProxy: '127.0.0.1' })
    await limited(app, tiny)
    return app
  }
}

const app = await setups[setup]!()
if (setup !== 'proxy' && !app.hasRoute({ method: 'GET', url: '/*' })) greet(app)
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', () => process.send!(process.cpuUsage()))
process.on('disconnect', () => process.exit())
process.send!(app.listeningOrigin)

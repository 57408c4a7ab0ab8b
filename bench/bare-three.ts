import { PrismaPg } from '@prisma/adapter-pg'
import fastify from 'fastify'
import { Redis } from 'ioredis'
import { PrismaClient } from '#prisma/client.js'

// Fastify, ioredis and Prisma in a process of its own, as their pages say: what any service on these three has. It
// sends "ready", and then its memory and CPU time whenever it is asked. Its arguments are the URLs of Redis and
// PostgreSQL, and idle.ts gives it a Prisma client of its own.

const [redisUrl, connectionString] = process.argv.slice(2) as [string, string]
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) })
const redis = new Redis(redisUrl)
const app = fastify({ logger: true })
app.get('/', async () => ({ pong: await redis.ping(), user: await prisma.user.findUnique({ where: { id: 1 } }) }))
await app.listen({ host: '127.0.0.1', port: 0 })
await fetch(app.listeningOrigin)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!({ memory: process.memoryUsage.rss(), seconds: (user + system) / 1e6 })
})
process.on('disconnect', () => process.exit())
process.send!('ready')

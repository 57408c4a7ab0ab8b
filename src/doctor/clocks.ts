import type { Cluster, Redis } from 'ioredis'
import type { PrismaClient } from '../../prisma/client.js'
import type { Replica } from '../limiter/fleet/replicas.js'
import { action, duration, note, ok, type Result } from './check.js'
import { nameOf } from './limits.js'

/** A replica's time is from its last heartbeat, so it may be old by this much. */
const HEARTBEAT_MS = 2000
const APART_MS = 5000

interface Clock { of: string, /** Ahead of this machine's; negative if behind. */ aheadMs: number }

export interface Clocks {
  redis: Redis | Cluster | undefined
  db: PrismaClient | undefined
  replicas: Promise<Replica[]>
}

/**
 * Checks the clocks on which the expiry of tokens and the sending of mails depend. Buckets depend on no clock, because
 * Redis counts their time down.
 */
export async function judgeClocks ({ redis, db, replicas }: Clocks): Promise<Result> {
  const asked = await Promise.allSettled([
    redis && compare('Redis', async () => {
      const [seconds, microseconds] = await redis.time() as unknown as [string, string]
      return Number(seconds) * 1000 + Number(microseconds) / 1000
    }),
    db && compare('PostgreSQL', async () => {
      const [row] = await db.$queryRaw<Array<{ ms: number }>>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`
      return row!.ms
    }),
    replicas.then(list => list.flatMap(replica => clockOf(replica) ?? []))
  ])
  const clocks = asked.flatMap(({ status, ...of }) =>
    status === 'fulfilled' ? (of as { value?: Clock | Clock[] }).value ?? [] : [])
  if (clocks.length === 0) return note('unknown: no other clock can be read')
  const apart = clocks.filter(({ aheadMs }) => !(Math.abs(aheadMs) <= APART_MS))
  if (apart.length === 0) return ok(`the clocks of ${clocks.map(({ of }) => of).join(', ')} and this machine agree`)
  const found = apart.map(({ of, aheadMs }) =>
    `that of ${of} is ${duration(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`)
  return action(`clocks are apart: ${found.join('; ')}; tokens and links expire too early or too late`,
    'let NTP set them (chronyc tracking)')
}

async function compare (of: string, read: () => Promise<number>): Promise<Clock> {
  const sentAtMs = Date.now()
  const thereMs = await read()
  // The other clock was read at some time between sending and now.
  return { of, aheadMs: thereMs - (sentAtMs + Date.now()) / 2 }
}

function clockOf (replica: Replica): Clock | undefined {
  const { at } = replica
  if (at === undefined) return undefined
  const aheadMs = Date.parse(at) - Date.now()
  return { of: nameOf(replica), aheadMs: aheadMs < 0 ? Math.min(0, aheadMs + HEARTBEAT_MS) : aheadMs }
}

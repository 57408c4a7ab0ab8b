import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import type { Config } from '../config/config.js'
import { loadConfig } from '../config/load.js'
import { ConfigError } from '../config/config-error.js'
import { openDatabase, type Database } from '../database/database.js'
import { action, note, ok, runAll, type Finding, type Result } from '../doctor/check.js'
import { judgeClocks } from '../doctor/clocks.js'
import { databaseChecks } from '../doctor/database.js'
import { publicUrlChecks } from '../doctor/public-url.js'
import { redisChecks } from '../doctor/redis.js'
import { mailServerChecks } from '../doctor/mail-server.js'
import { replicaChecks, withViews } from '../doctor/replicas.js'
import { secretChecks } from '../doctor/secrets.js'
import { judgeNetworks } from '../doctor/trust-chain.js'
import type { StoreUnavailable } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { limitsIn } from '../limiter/limits/document.js'
import { createRedisStore } from '../limiter/redis/redis-store.js'
import { connect } from '../limiter/redis/connection.js'
import { listReplicas } from '../limiter/fleet/replicas.js'
import type { Common } from './options.js'
import { Failure, print, printable } from './outcome.js'

/** Used like REDIS_TIMEOUT_MS: the first connection, and each reply, may take ten times as long. */
const REDIS_MS = 200
const REPLY_MS = 10 * REDIS_MS
const DATABASE_MS = 2000
/** For all that it asks, so that it ends within the 15 s that docs/operations.md states, also on a slow machine. */
const BUDGET_MS = 12_000
/** How much earlier a hanging check is told to end, so that it says what it waits for. */
const LAST_WORDS_MS = 500
const END_MS = 1000
/** The policy of the test bucket, which belongs to no client and expires after a second. */
const POLICY = { name: 'doctor', capacity: 100, refill: 100, periodMs: 1000 }
const TRIES = 9
/** After this time no further try begins: what is slow is known by then, and the checks need the rest. */
const TRYING_MS = 3000
/** The reason of a Redis without room. */
const FULL = 'OOM'
/** With these reasons, Redis will not answer other commands either. */
const SPEECHLESS = ['no_connection', 'no_reply', 'bad_reply', 'NOAUTH', 'WRONGPASS']
/** The length of the longest name of a check. */
const WIDTH = 'database-connections'.length

export async function doctor ({ json }: Common): Promise<void> {
  const findings = await examine()
  const ill = findings.filter(({ status }) => status === 'action').length
  print(json, { ok: ill === 0, findings }, () => findings.map(lineOf).join(''))
  if (ill > 0) throw new Failure(`${ill} of ${findings.length} findings need action`)
}

async function examine (): Promise<Finding[]> {
  const startedMs = performance.now()
  let config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy = 'correct it; .env.example explains every variable'
    return error.faults.map(fault => ({ check: 'configuration', ...action(fault, remedy) }))
  }
  const [redis, database] = await Promise.all([reachRedis(config), reachDatabase(config)])
  const list = redis.client ? listReplicas(redis.client) : Promise.resolve([])
  const replicas = list.catch(() => [])
  const db = database.opened?.prisma
  const leftMs = Math.round(startedMs + BUDGET_MS - performance.now())
  const timeUp = AbortSignal.timeout(leftMs - LAST_WORDS_MS)
  try {
    return await runAll({
      ...config.warnings.length > 0 && { settings: () => config.warnings.map(text => note(text)) },
      ...secretChecks(config),
      ...mailServerChecks(config, timeUp),
      ...redis.result && {
        redis: () => withViews(redis.result!, replicas, 'redis', ['does not decide'],
          'search their logs for redis_unavailable, whose err says why; LIMITER_ON_REDIS_FAILURE applies meanwhile')
      },
      ...redis.client && {
        ...redisChecks(redis.client, config, REPLY_MS, redis.refusal === FULL),
        ...replicaChecks(list, limitsIn(redis.client, config.limits), redis.refusal)
      },
      ...config.redisUrl && !redis.client && {
        replicas: () => note('unknown: replicas can be asked only through Redis')
      },
      database: () => withViews(database.result, replicas, 'database',
        ['unreachable', 'no new connections', 'commits hang'], 'see "PostgreSQL" in docs/runbook.md'),
      ...db && databaseChecks(db, config, replicas),
      'trust-proxy': () => judgeNetworks(config.trustProxy),
      clocks: () => judgeClocks({ redis: redis.client, db, replicas }),
      ...publicUrlChecks(config, redis.refusal === undefined ? redis.client : undefined, REPLY_MS, timeUp)
    }, leftMs)
  } finally {
    redis.client?.disconnect()
    await closed(database.opened)
  }
}

/**
 * @returns `client` for further commands, if Redis answers at all; `refusal` if it refuses takes. The result is
 *   undefined if it is full, which the check of its memory says
 */
async function reachRedis (
  { redisUrl, redisTimeoutMs }: Config
): Promise<{ client?: Redis | Cluster, refusal?: string, result?: Result }> {
  if (!redisUrl) {
    const found = 'REDIS_URL is not set: every replica counts for itself, and forgets it when it ends'
    return { result: note(found, 'set it to the Redis of all replicas') }
  }
  const where = `Redis at ${redisUrl.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}`
  let trouble: Error | undefined
  const client = await connect(redisUrl, (error) => { trouble = error }, REDIS_MS)
  try {
    const store = createRedisStore(client, { deadlineMs: REPLY_MS })
    // Each take from another bucket, because those of one bucket would meet only one node of a cluster.
    const ms = await medianMs(() => store.take(bucketOf(POLICY, randomUUID())))
    return { client, result: judgeLatency(`${where} answers`, ms, redisTimeoutMs, 'REDIS_TIMEOUT_MS') }
  } catch (error) {
    const { message, reason } = error as StoreUnavailable
    if (reason === FULL) return { client, refusal: reason }
    const result = action(`${where} is unavailable: ${trouble?.message ?? message}`, 'see "Redis" in docs/runbook.md')
    if (!SPEECHLESS.includes(reason)) return { client, refusal: reason, result }
    client.disconnect()
    return { result }
  }
}

async function reachDatabase (config: Config): Promise<{ opened?: Database, result: Result }> {
  const { databaseUrl, databaseTimeoutMs } = config
  if (!databaseUrl) {
    const found = 'DATABASE_URL is not set: the database is inside the one process that serves'
    return { result: note(found, 'set it to the PostgreSQL of all replicas') }
  }
  const { host, port, database } = databaseUrl.server
  const where = `PostgreSQL at ${host}:${port}/${database}`
  const opened = await openDatabase({ ...config, databaseTimeoutMs: Math.min(databaseTimeoutMs, DATABASE_MS) })
  try {
    const ms = await medianMs(() => opened.prisma.$queryRaw`SELECT 1`)
    return { opened, result: judgeLatency(`${where} answers`, ms, databaseTimeoutMs, 'DATABASE_TIMEOUT_MS') }
  } catch (error) {
    const found = `${where} is unavailable: ${(error as Error).message}`
    await closed(opened)
    return { result: action(found, 'see "PostgreSQL" in docs/runbook.md') }
  }
}

/** The median of several tries, because the first one includes connecting, and replicas are already connected. */
async function medianMs (ask: () => PromiseLike<unknown>): Promise<number> {
  const endMs = performance.now() + TRYING_MS
  const times: number[] = []
  do {
    const startedMs = performance.now()
    await ask()
    times.push(performance.now() - startedMs)
  } while (times.length < TRIES && performance.now() < endMs)
  return times.sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)]!
}

function judgeLatency (where: string, ms: number, timeoutMs: number, setting: string): Result {
  const found = `${where} in ${ms.toFixed(1)} ms, measured from here; ${setting} is ${timeoutMs}`
  const remedy = `put it nearer, or on a faster machine, or raise ${setting}`
  if (ms > timeoutMs) return action(`${found}, so it counts as unavailable`, remedy)
  return ms > timeoutMs / 4 ? note(`${found}: little is left for a hiccup`, remedy) : ok(found)
}

/** A server that hangs must not delay the end of the command. */
async function closed (database: Database | undefined): Promise<void> {
  await Promise.race([database?.close(), sleep(END_MS, undefined, { ref: false })])
}

function lineOf ({ status, check, found, remedy }: Finding): string {
  const head = `${status.padEnd('action'.length)}  ${check.padEnd(WIDTH)}  `
  return `${head}${oneLine(found)}${remedy === undefined ? '' : ` -> ${oneLine(remedy)}`}\n`
}

/** Some of the text comes from replicas, servers, or whatever answers at PUBLIC_URL. */
const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '))

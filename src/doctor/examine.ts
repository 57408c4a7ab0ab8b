import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { action, note, ok, type Finding } from '../base/finding.js'
import { stateMeanings } from '../health/states.js'
import { within } from '../base/within.js'
import type { Config } from '../config/config.js'
import { ConfigError } from '../config/config-error.js'
import { loadConfig } from '../config/load.js'
import { openDatabase, type Database } from '../database/database.js'
import { stateNow } from '../database/state.js'
import type { BucketStore, StoreUnavailable } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { listReplicas } from '../limiter/fleet/replicas.js'
import { readLimitsInForce } from '../limiter/limits/limits-document.js'
import { PROBE_POLICY } from '../limiter/limits/policies.js'
import { connect } from '../limiter/redis/redis-connection.js'
import { createRedisStore } from '../limiter/redis/redis-store.js'
import {
  ANSWER_MS, LAST_WORDS_MS, timed, runChecks, type Checks, type Deployment, type CheckResult
} from './run-checks.js'
import { judgeClocks } from './clock-check.js'
import { accountChecks } from './account-checks.js'
import { databaseChecks } from './database-checks.js'
import { mailServerChecks } from './mail-server-checks.js'
import { publicUrlChecks } from './public-url-checks.js'
import { redisChecks } from './redis-checks.js'
import { replicaChecks } from './replica-checks.js'
import { secondFactorChecks } from './second-factor-checks.js'
import { signInChecks } from './sign-in-checks.js'
import { secretChecks } from './secret-checks.js'
import { judgeState, describeState } from './replica-states.js'
import { judgeNetworks } from './trust-chain.js'

/** For all that is asked, so that the command ends within the 15 s that docs/operations.md states. */
const BUDGET_MS = 9_000
/** How often a server is asked for how fast it answers. */
const TRIES = 9
/** The reason of a Redis without memory. The check `redis-memory` reports it. */
const FULL = 'OOM'
/** With these reasons, Redis will not answer other commands either. */
const UNREACHABLE_REASONS = ['no_connection', 'no_reply', 'bad_reply', 'NOAUTH', 'WRONGPASS']

/** Runs every check that the settings permit. */
export async function examine (): Promise<CheckResult[]> {
  let config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy = 'correct it; .env.example explains every variable'
    return error.faults.map(fault => ({ check: 'configuration', ...action(fault, remedy) }))
  }
  const budget = new AbortController()
  const timer = setTimeout(() => budget.abort(), BUDGET_MS)
  const [redis, database] = await Promise.all([reachRedis(config), reachDatabase(config)])
  const listed = await timed(async () => redis.client ? await listReplicas(redis.client) : [])
  try {
    return await runChecks(checksOf({
      config,
      redis: redis.client,
      store: redis.store,
      takeError: redis.takeError,
      db: database.opened?.prisma,
      replicas: listed.answer ?? [],
      listError: redis.client ? redis.takeError ?? listed.error?.message : 'it does not answer',
      timeUp: budget.signal
    }, redis.found, database.found), budget.signal)
  } finally {
    clearTimeout(timer)
    redis.client?.disconnect()
    // A server that hangs must not delay the end.
    if (database.opened) await within(LAST_WORDS_MS, database.opened.close())
  }
}

/** @param redis and `database` are what was found on the way to them */
function checksOf (deployment: Deployment, redis: Finding[], database: Finding): Checks {
  const { config, replicas } = deployment
  return {
    settings: () => config.warnings.map(text => note(text)),
    ...secretChecks(config),
    ...mailServerChecks(deployment),
    redis: () => [...redis, ...judgeState('redis', replicas)],
    ...redisChecks(deployment),
    ...config.redisUrl && replicaChecks(
      deployment, config.limits.clients, () => readLimitsInForce(deployment.redis!, config.limits)
    ),
    database: () => [database, ...judgeState('database', replicas)],
    ...databaseChecks(deployment),
    ...accountChecks(deployment),
    ...secondFactorChecks(deployment),
    ...signInChecks(deployment),
    'trust-proxy': () => judgeNetworks(config.trustProxy),
    clocks: () => judgeClocks(deployment),
    ...publicUrlChecks(deployment)
  }
}

interface ReachedRedis { client?: Redis | Cluster, store?: BucketStore, takeError?: string, found: Finding[] }

/** @returns `client` if Redis answers; `takeError` if it refuses takes. Of a full one, its memory says the rest */
async function reachRedis ({ redisUrl, redisTimeoutMs }: Config): Promise<ReachedRedis> {
  if (!redisUrl) {
    const found = 'REDIS_URL is not set: every replica counts for itself, and forgets it when it ends'
    return { found: [note(found, 'set it to the Redis of all replicas')] }
  }
  const where = `Redis at ${redisUrl.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}`
  let trouble: Error | undefined
  const client = await connect(redisUrl, (error) => { trouble = error }, ANSWER_MS / 10)
  const store = createRedisStore(client, { deadlineMs: ANSWER_MS })
  // Each take from another bucket, because those of one bucket would meet only one node of a cluster.
  const { ms, error } = await timed(() => store.take(bucketOf(PROBE_POLICY, randomUUID())), TRIES)
  if (!error) return { client, store, found: [judgeLatency(where, ms, redisTimeoutMs, 'REDIS_TIMEOUT_MS')] }
  const { message, reason } = error as StoreUnavailable
  if (reason === FULL) return { client, store, takeError: reason, found: [] }
  const found = [action(`${where} is unavailable: ${trouble?.message ?? message}`, 'see "Redis" in docs/runbook.md')]
  if (!UNREACHABLE_REASONS.includes(reason)) return { client, store, takeError: reason, found }
  client.disconnect()
  return { found }
}

interface ReachedDatabase { opened?: Database, found: Finding }

/** @returns `opened` if PostgreSQL answers; `found` is what a replica on this machine would find, or how fast it is */
async function reachDatabase (config: Config): Promise<ReachedDatabase> {
  const { databaseUrl, databaseTimeoutMs } = config
  if (!databaseUrl) {
    const found = 'DATABASE_URL is not set: the database is inside the one process that serves'
    return { found: note(found, 'set it to the PostgreSQL of all replicas') }
  }
  const { host, port, database } = databaseUrl.server
  const where = `PostgreSQL at ${host}:${port}/${database}`
  const patienceMs = Math.min(databaseTimeoutMs, ANSWER_MS)
  const opened = await openDatabase({ ...config, databaseTimeoutMs: patienceMs })
  const { ms, error } = await timed(() => opened.prisma.$queryRaw`SELECT 1`, TRIES)
  if (error) {
    opened.close().catch(() => {})
    return { found: action(`${where} is unavailable: ${error.message}`, stateMeanings.database.unreachable.remedy!) }
  }
  const state = await stateNow(opened, patienceMs)
  const found = state.value === 'reachable'
    ? judgeLatency(where, ms, databaseTimeoutMs, 'DATABASE_TIMEOUT_MS')
    : describeState('database', state)
  return { opened, found }
}

function judgeLatency (where: string, ms: number, timeoutMs: number, setting: string): Finding {
  const found = `${where} answers in ${ms.toFixed(1)} ms, measured from here; ${setting} is ${timeoutMs}`
  const remedy = `put it nearer, or on a faster machine, or raise ${setting}`
  if (ms > timeoutMs) return action(`${found}, so it counts as unavailable`, remedy)
  return ms > timeoutMs / 4 ? note(`${found}: little is left for a hiccup`, remedy) : ok(found)
}

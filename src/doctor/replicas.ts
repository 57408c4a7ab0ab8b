import type { Replica } from '../limiter/fleet/replicas.js'
import { digestOf, type Limits } from '../limiter/limits/policies.js'
import { LimitsError } from '../limiter/limits/schema.js'
import { action, count, duration, note, ok, type Checks, type Result } from './check.js'

interface InForce {
  limits: Limits
  /** The version of the limits that were set at run time; 0 for none. */
  version: number
}

/** A canary runs every ten seconds, for at most five, so an older result is outdated. */
const STALE_MS = 60_000

/**
 * Checks of what the running replicas report about themselves.
 *
 * @param list and `inForce` reject if Redis does not answer
 */
export function replicaChecks (list: Promise<Replica[]>, inForce: Promise<InForce>): Checks {
  /** A check that needs replicas. If there are none, the first check reports that. */
  const ofReplicas = (judge: (replicas: Replica[]) => Result | Result[] | Promise<Result | Result[]>) => async () => {
    const replicas = await list
    return replicas.length === 0 ? [] : await judge(replicas)
  }

  // If there are no replicas, no check awaits this, and its rejection would be unhandled.
  inForce.catch(() => {})
  return {
    replicas: async () => judgeCount(await list),
    limits: ofReplicas(async replicas => judgeLimits(replicas, await inForce.catch(brokenOr))),
    canary: ofReplicas(replicas => replicas.every(isWell)
      ? ok(`the canary of ${count(replicas.length, 'replica')} is limited as its policy says`)
      : replicas.filter(replica => !isWell(replica)).map(judgeCanary)),
    'redis-available': ofReplicas(judgeAvailability),
    proxies: ofReplicas(judgeProxies)
  }
}

const nameOf = ({ host, pid, name }: Replica): string => host === undefined ? name : `${host} (process ${pid})`
const names = (replicas: Replica[]): string => replicas.map(nameOf).join(', ')

function judgeCount (replicas: Replica[]): Result {
  if (replicas.length === 0) {
    return note('no replica has sent a heartbeat in the last seconds', 'start the service; see its log if it runs')
  }
  const silent = replicas.filter(({ version }) => version === undefined)
  if (silent.length > 0) {
    return note(`nothing is known of ${names(silent)}: an older release, or not permitted to SET gatehouse:replica:*`)
  }
  const versions = [...new Set(replicas.map(({ version }) => version))].sort()
  const found = `${count(replicas.length, 'replica')} of version ${versions.join(' and ')}`
  return versions.length === 1 ? ok(found) : note(`${found}: a release is under way, or was not finished`)
}

/** What somebody wrote into Redis; any other failure is thrown. */
function brokenOr (error: Error): string {
  if (error instanceof LimitsError) return error.faults.slice(1).join('; ')
  throw error
}

/** @param inForce what is wrong with what Redis has, or what is in force by it */
function judgeLimits (replicas: Replica[], inForce: InForce | string): Result[] {
  if (typeof inForce === 'string') {
    return [action(`gatehouse:limits is not valid (${inForce}): replicas keep the last valid limits`,
      'redis-cli DEL gatehouse:limits, and a replica puts the last valid ones back')]
  }
  const { limits, version } = inForce
  // A replica that says nothing is found by the count.
  const known = replicas.filter(({ limits }) => limits !== undefined)
  const behind = known.filter(({ limitsVersion }) => limitsVersion !== version)
  const current = known.filter(replica => !behind.includes(replica))
  return [
    ...behind.map(replica => action(
      `${nameOf(replica)} holds version ${replica.limitsVersion ?? 0} of the limits that were set at run time, and ` +
      `Redis has version ${version}`,
      'wait a second, then look for limits_unread and limits_broken in its log: they say why'
    )),
    ...current.length > 0 ? [judgeDigests(current, digestOf(limits))] : []
  ]
}

function judgeDigests (replicas: Replica[], own: string): Result {
  const digests = new Map<string, Replica[]>()
  for (const replica of replicas) digests.set(replica.limits!, [...digests.get(replica.limits!) ?? [], replica])
  if (digests.size > 1) {
    const groups = [...digests].map(([digest, group]) => `${names(group)}: ${digest}`).join('; ')
    return action(
      `replicas hold different limits (${groups}): each limits by its own`,
      'finish the release, or give all replicas one LIMITS_FILE and the same MODULES'
    )
  }
  if (digests.has(own)) return ok('all replicas hold the same limits, and this command too')
  return note('all replicas hold the same limits, but this command has others',
    'run it with the LIMITS_FILE and MODULES of the replicas')
}

const ageMs = ({ at }: { at: string }): number => Date.now() - Date.parse(at)

const isWell = ({ canary }: Replica): boolean => canary?.ok === true && ageMs(canary) < STALE_MS

function judgeCanary (replica: Replica): Result {
  const { canary } = replica
  if (!canary) return note(`no canary of ${nameOf(replica)} has ended yet`)
  if (canary.ok) {
    const found = `the last canary of ${nameOf(replica)} ended ${duration(ageMs(canary))} ago`
    return action(`${found}: it hangs, or its clock is wrong`, 'see its log, then restart it')
  }
  const found = `${nameOf(replica)} does not limit as it should: ${canary.reason}`
  return action(found, 'see "The canary" in docs/runbook.md')
}

function judgeAvailability (replicas: Replica[]): Result {
  const without = replicas.filter(({ redisAvailable }) => redisAvailable === false)
  if (without.length === 0) return ok('Redis is available to every replica')
  const modes = [...new Set(without.map(({ onRedisFailure }) => onRedisFailure))].join(', ')
  return action(`Redis is unavailable to ${names(without)}: LIMITER_ON_REDIS_FAILURE=${modes} applies`,
    'search their logs for redis_unavailable, whose err says why')
}

function judgeProxies (replicas: Replica[]): Result {
  const suspected = new Set(replicas.flatMap(({ proxySuspected }) => proxySuspected ?? []))
  if (suspected.size === 0) return ok('no replica gets nearly all its requests from one private address')
  return action(
    `nearly all requests come from ${[...suspected].join(' and ')}: if it is a proxy, all its clients share one bucket`,
    'let it send X-Forwarded-For, and name it in TRUST_PROXY (docker compose: EDGE_NETWORKS)'
  )
}

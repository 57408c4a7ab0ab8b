import type { Replica } from '../limiter/fleet/replicas.js'
import { action, count, duration, note, ok, type Checks, type Result } from './check.js'
import { brokenOr, judgeLimits, nameOf, names, type InForce } from './limits.js'

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

import type { States } from '../base/states.js'
import { proxySigns, type ProxySign, type ProxySignCode } from '../limiter/fleet/proxy-signs.js'
import type { Replica } from '../limiter/fleet/replicas.js'
import { ipv6Prefix, isPrivate, parseClient } from '../limiter/limits/client.js'
import { action, count, note, ok, type Checks, type Result } from './check.js'
import { brokenOr, judgeLimits, nameOf, names, type InForce } from './limits.js'

/**
 * Checks of what the running replicas report about themselves.
 *
 * @param list and `inForce` reject if Redis does not answer
 * @param refusal why Redis refuses takes, and with them what replicas say
 */
export function replicaChecks (list: Promise<Replica[]>, inForce: Promise<InForce>, refusal?: string): Checks {
  /** A check that needs replicas. If there are none, or Redis does not name them, the first check reports that. */
  const ofReplicas = (judge: (replicas: Replica[]) => Result | Result[] | Promise<Result | Result[]>) => async () => {
    const replicas = await list.catch(() => [])
    return replicas.length === 0 ? [] : await judge(replicas)
  }

  // If there are no replicas, no check awaits this, and its rejection would be unhandled.
  inForce.catch(() => {})
  return {
    replicas: async () => {
      const replicas = await list
      return [
        judgeCount(replicas, refusal), ...judgeKeys(replicas), ...judgeModules(replicas), ...judgeWidths(replicas)
      ]
    },
    limits: ofReplicas(async replicas => judgeLimits(replicas, await inForce.catch(brokenOr))),
    canary: ofReplicas(judgeCanaries),
    proxies: ofReplicas(judgeProxies)
  }
}

function judgeCount (replicas: Replica[], refusal: string | undefined): Result {
  const silent = replicas.filter(({ states }) => !states)
  if (refusal !== undefined && silent.length === replicas.length) {
    return note(`unknown: what replicas say of themselves is in Redis, which keeps nothing now (${refusal})`)
  }
  if (replicas.length === 0) {
    return note('no replica has sent a heartbeat in the last seconds', 'start the service; see its log if it runs')
  }
  if (silent.length > 0) {
    return note(`nothing is known of ${names(silent)}: an older release, or not permitted to SET gatehouse:replica:*`)
  }
  const versions = [...new Set(replicas.map(({ version }) => version))].sort()
  const found = `${count(replicas.length, 'replica')} of version ${versions.join(' and ')}`
  return versions.length === 1 ? ok(found) : note(`${found}: a release is under way, or was not finished`)
}

/**
 * A token is refused where its key is not known. During a rotation replicas have different keys, and know each other's.
 */
function judgeKeys (replicas: Replica[]): Result[] {
  const groups = groupsOf(replicas, ({ keys }) => keys?.join())
  const agreeing: Replica[] = []
  const odd: Replica[] = []
  for (const group of groups) {
    const agrees = agreeing.every(other => verifies(group[0]!, other) && verifies(other, group[0]!))
    const side = agrees ? agreeing : odd
    side.push(...group)
  }
  if (odd.length === 0 && groups.length > 1) {
    return [note('replicas verify tokens by different keys: a rotation is under way, or was not finished',
      'see "Rotating keys" in docs/runbook.md')]
  }
  return odd.map(replica => action(
    (agreeing.every(other => verifies(replica, other))
      ? `the tokens of replica ${nameOf(replica)} are not verified by the others`
      : `replica ${nameOf(replica)} does not verify the tokens of the others`) + ': users get 401 now and then',
    `give it the same JWT_SECRET and JWT_PRIVATE_KEY as ${nameOf(agreeing[0]!)}, then SIGHUP or restart it`
  ))
}

const verifies = (by: Replica, { keys: [signing] = [] }: Replica): boolean => by.keys!.includes(signing!)

/** Releases may describe the same modules differently. */
function judgeModules (replicas: Replica[]): Result[] {
  const [most = [], ...others] = groupsOf(replicas, ({ modules }) => modules)
  return others.flat().filter(({ version }) => version === most[0]!.version).map(replica => action(
    `replica ${nameOf(replica)} has other modules: requests for them get 404 there, or go elsewhere`,
    `give it the same MODULES or MODULES_FILE as ${nameOf(most[0]!)}, then SIGHUP or restart it`
  ))
}

/** A client has one bucket for each width. Commands use that of this machine. */
function judgeWidths (replicas: Replica[]): Result[] {
  const groups = groupsOf(replicas, ({ clientIpv6Prefix }) => clientIpv6Prefix?.toString())
  const said = groups.map(([{ clientIpv6Prefix } = {} as Replica]) => clientIpv6Prefix!)
  if (said.length > 1) {
    const found = groups.map((group, i) => `/${said[i]} at ${names(group)}`).join(', ')
    return [action(`the IPv6 network that is one client differs: ${found}`, 'give all the same CLIENT_IPV6_PREFIX')]
  }
  if (said.length === 0 || said[0] === ipv6Prefix()) return []
  return [note(`for replicas an IPv6 /${said[0]} is one client, and for this machine's commands a /${ipv6Prefix()}`,
    'give this machine the CLIENT_IPV6_PREFIX of the replicas')]
}

/** Replicas that say the same: the largest group first, then that which started first. Silent ones are left out. */
function groupsOf (replicas: Replica[], said: (replica: Replica) => string | undefined): Replica[][] {
  const groups = new Map<string, Replica[]>()
  for (const replica of replicas.toSorted((a, b) => (a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1)) {
    const text = said(replica)
    if (text !== undefined) groups.set(text, [...groups.get(text) ?? [], replica])
  }
  return [...groups.values()].sort((a, b) => b.length - a.length)
}

/** Where Redis does not decide, the canary fails with it, and `redis` says so. */
function judgeCanaries (replicas: Replica[]): Result | Result[] {
  const known = replicas.filter(({ states }) => states && states.redis.value !== 'does not decide')
  const ill = known.filter(({ states }) => states!.canary.value !== 'passed')
  if (ill.length > 0) return ill.map(judgeCanary)
  return known.length === 0 ? [] : ok(`the canary of ${count(known.length, 'replica')} is limited as its policy says`)
}

function judgeCanary (replica: Replica): Result {
  const { value, reason } = replica.states!.canary
  if (value === 'not ended yet') return note(`no canary of ${nameOf(replica)} has ended yet`)
  return value === 'hangs'
    ? action(`no canary of ${nameOf(replica)} has ended for a minute: it hangs`, 'see its log, then restart it')
    : action(`${nameOf(replica)} does not limit as it should: ${reason}`, 'see "The canary" in docs/runbook.md')
}

/**
 * One finding for what this machine found of a part, and for what each replica says of it.
 *
 * @param own what this machine found
 * @param ill the values of the part that need action
 */
export async function withViews (
  own: Result, list: Promise<Replica[]>, part: keyof States, ill: string[], remedy: string
): Promise<Result> {
  const replicas = (await list).filter(({ states }) => states)
  const views = viewsOf(replicas, part, ill)
  if (views.length > 0) return action(`${views.join('; ')}; this machine: ${own.found}`, remedy)
  if (own.status !== 'action' || replicas.length === 0) return own
  return { ...own, found: `${own.found}, for this machine; ${viewsOf(replicas, part).join('; ')}` }
}

/** What replicas say of a part: those that say the same together. @param values all by default */
export function viewsOf (replicas: Replica[], part: keyof States, values?: string[]): string[] {
  const said = new Map<string, { since: string, by: Replica[] }>()
  for (const replica of replicas) {
    const state = replica.states?.[part]
    if (!state || (values && !values.includes(state.value))) continue
    const text = `${part} ${state.value}${state.reason === undefined ? '' : ` (${state.reason})`}`
    const { since, by } = said.get(text) ?? { since: state.since, by: [] }
    said.set(text, { since: since < state.since ? since : state.since, by: [...by, replica] })
  }
  return [...said].map(([text, { since, by }]) =>
    `replica${by.length > 1 ? 's' : ''} ${names(by)}: ${text} since ${since}`)
}

/** Each sign once, with the addresses that replicas saw. Any client can claim to be a proxy. */
function judgeProxies (replicas: Replica[]): Result | Result[] {
  if (replicas.every(({ states }) => !states)) return []
  const results = Object.entries<ProxySign>(proxySigns).flatMap(([code, { found, remedy }]) => {
    const seen = [...new Set(replicas.flatMap(({ proxySigns = {} }) => proxySigns[code as ProxySignCode] ?? []))]
    if (seen.length === 0) return []
    const judge = code === 'forwarded_header_ignored' && !seen.some(isPrivateText) ? note : action
    return judge(found(seen.join(' and ')), remedy)
  })
  return results.length > 0 ? results : ok('no replica takes a proxy for a client, or a client for a proxy')
}

function isPrivateText (text: string): boolean {
  const client = parseClient(text)
  return client !== undefined && isPrivate(client.address)
}

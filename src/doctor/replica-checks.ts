import { action, note, ok, type Finding } from '../base/finding.js'
import { stateMeanings } from '../health/states.js'
import { pluralize } from '../base/text.js'
import { differingRows, differingRowText } from '../limiter/fleet/differing-limits.js'
import { proxySigns, type ProxySign, type ProxySignCode } from '../limiter/fleet/proxy-signs.js'
import { replicaNames, type Replica } from '../limiter/fleet/replicas.js'
import { isPrivate } from '../base/networks.js'
import { addressOfKey, type Clients } from '../limiter/limits/client.js'
import type { readLimitsInForce } from '../limiter/limits/limits-document.js'
import { limitsDigest } from '../limiter/limits/policies.js'
import { Faults } from '../base/read-json.js'
import type { Checks, Deployment } from './run-checks.js'
import { groupReplicas, judgeState } from './replica-states.js'

type InForce = Awaited<ReturnType<typeof readLimitsInForce>>

/**
 * What the running replicas say of themselves, and what only a comparison of them shows.
 *
 * @param clients those of this machine's commands
 * @param inForce the limits by what Redis has
 */
export function replicaChecks (
  { replicas, listError }: Deployment, clients: Clients, inForce: () => Promise<InForce>
): Checks {
  return {
    replicas: () => [
      judgeCount(replicas, listError), ...judgeState('replicas', replicas).filter(({ status }) => status !== 'ok'),
      ...judgeKeys(replicas), ...judgeModules(replicas), ...judgeWidths(replicas, clients)
    ],
    // If there are no replicas, the check above says so.
    limits: async () => replicas.length === 0 ? [] : await judgeLimits(replicas, inForce),
    canary: () => judgeState('canary', replicas),
    proxies: () => judgeProxies(replicas)
  }
}

function judgeCount (replicas: Replica[], listError: string | undefined): Finding {
  const silent = replicas.filter(({ states }) => !states)
  if (listError !== undefined && silent.length === replicas.length) {
    return note(`unknown: replicas can be asked only through Redis (${listError})`)
  }
  if (replicas.length === 0) {
    return note('no replica has sent a heartbeat in the last seconds', 'start the service; see its log if it runs')
  }
  if (silent.length > 0) {
    return note(`nothing is known of ${replicaNames(silent)}: an older release, or not permitted to SET ` +
      'gatehouse:replica:*')
  }
  const versions = [...new Set(replicas.map(({ version }) => version))].sort()
  const found = `${pluralize(replicas.length, 'replica')} of version ${versions.join(' and ')}`
  return versions.length === 1 ? ok(found) : note(`${found}: a release is under way, or was not finished`)
}

/**
 * A replica refuses a token whose key it does not know. During a rotation replicas sign with different keys, and each
 * must know those of the others.
 */
function judgeKeys (replicas: Replica[]): Finding[] {
  const groups = groupReplicas(replicas, ({ keys }) => keys?.join())
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
      ? `the tokens of replica ${replica.name} are not verified by the others`
      : `replica ${replica.name} does not verify the tokens of the others`) + ': users get 401 now and then',
    `give it the same JWT_SECRET and JWT_PRIVATE_KEY as ${agreeing[0]!.name}, then SIGHUP or restart it`
  ))
}

const verifies = (by: Replica, { keys: [signing] = [] }: Replica): boolean => by.keys!.includes(signing!)

/** Releases may describe the same modules differently. */
function judgeModules (replicas: Replica[]): Finding[] {
  const [most = [], ...others] = groupReplicas(replicas, ({ modules }) => modules)
  return others.flat().filter(({ version }) => version === most[0]!.version).map(replica => action(
    `replica ${replica.name} has other modules: requests for them get 404 there, or go elsewhere`,
    `give it the same MODULES or MODULES_FILE as ${most[0]!.name}, then SIGHUP or restart it`
  ))
}

/** A client has one bucket for each CLIENT_IPV6_PREFIX. Commands use the one of this machine. */
function judgeWidths (replicas: Replica[], { ipv6Prefix }: Clients): Finding[] {
  const groups = groupReplicas(replicas, ({ clientIpv6Prefix }) => clientIpv6Prefix?.toString())
  const [said, ...others] = groups.map(([{ clientIpv6Prefix } = {} as Replica]) => clientIpv6Prefix)
  if (others.length > 0) {
    const found = groups.map(group => `/${group[0]!.clientIpv6Prefix} at ${replicaNames(group)}`).join(', ')
    return [action(`the IPv6 network that is one client differs: ${found}`, 'give all the same CLIENT_IPV6_PREFIX')]
  }
  if (said === undefined || said === ipv6Prefix) return []
  return [note(`for replicas an IPv6 /${said} is one client, and for this machine's commands a /${ipv6Prefix}`,
    'give this machine the CLIENT_IPV6_PREFIX of the replicas')]
}

/** Replicas report whether limits differ. This check finds out which ones do, and what Redis holds. */
async function judgeLimits (replicas: Replica[], inForce: () => Promise<InForce>): Promise<Finding[]> {
  const read = await inForce().catch((error) => {
    if (error instanceof Faults) return error.faults.slice(1).join('; ')
    throw error
  })
  if (typeof read === 'string') {
    return [action(`gatehouse:limits is not valid (${read}): replicas keep the last valid limits`,
      'redis-cli DEL gatehouse:limits, and a replica puts the last valid ones back')]
  }
  const { limits, version, set, lastChange } = read
  // A replica that says nothing is found by the count.
  const known = replicas.filter(replica => replica.limits !== undefined)
  const behind = known.filter(({ limitsVersion }) => limitsVersion !== version)
  return [
    ...behind.map(replica => action(
      `${replica.name} holds version ${replica.limitsVersion ?? 0} of the limits that were set at run time, and ` +
      `Redis has version ${version}`,
      'wait a second, then look for limits_unread and limits_broken in its log: they say why'
    )),
    ...differingRows(known, set).map(row => action(differingRowText(row), stateMeanings.limits.differ.remedy!)),
    ...judgeState('limits', known),
    ...lastChange === undefined ? [] : [ok(`the last change is ${lastChange}`)],
    ...known.some(replica => replica.limits === limitsDigest(limits)) || behind.length === known.length
      ? []
      : [note('this command has other limits than the replicas',
          'run it with the LIMITS_FILE and MODULES of the replicas')]
  ]
}

/** Each sign once, with the addresses that replicas saw. Any client can claim to be a proxy. */
function judgeProxies (replicas: Replica[]): Finding | Finding[] {
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
  const address = addressOfKey(text)
  return address !== undefined && isPrivate(address)
}

import type { Replica } from '../limiter/fleet/replicas.js'
import { defaultLimits, digestOf, rowOf, type Limits, type PolicyName } from '../limiter/limits/policies.js'
import { textOf, textOfLimit } from '../limiter/limits/rows.js'
import { LimitsError } from '../limiter/limits/schema.js'
import type { LimitsFile } from '../limiter/limits/row-schema.js'
import { action, note, ok, type Result } from './check.js'

export interface InForce {
  limits: Limits
  /** The version of the limits that were set at run time; 0 for none. */
  version: number
  /** The rows that were set at run time. */
  set: LimitsFile
  /** The last change at run time, in words. */
  lastChange?: string
}

export const nameOf = ({ host, pid, name }: Replica): string => host === undefined ? name : `${host} (process ${pid})`
export const names = (replicas: Replica[]): string => replicas.map(nameOf).join(', ')

/** What somebody wrote into Redis; any other failure is thrown. */
export function brokenOr (error: Error): string {
  if (error instanceof LimitsError) return error.faults.slice(1).join('; ')
  throw error
}

/** @param inForce what is wrong with what Redis has, or what is in force by it */
export function judgeLimits (replicas: Replica[], inForce: InForce | string): Result[] {
  if (typeof inForce === 'string') {
    return [action(`gatehouse:limits is not valid (${inForce}): replicas keep the last valid limits`,
      'redis-cli DEL gatehouse:limits, and a replica puts the last valid ones back')]
  }
  const { limits, version, set, lastChange } = inForce
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
    ...differingRows(replicas, set).map(judgeRow),
    ...current.length > 0 ? [judgeDigests(current, digestOf(limits), lastChange)] : []
  ]
}

function judgeDigests (replicas: Replica[], own: string, lastChange: string | undefined): Result {
  const digests = new Set(replicas.map(({ limits }) => limits))
  if (digests.size > 1) {
    return action(`${names(replicas)} hold different limits: each limits by its own`, ONE_FILE)
  }
  if (digests.has(own)) {
    return ok('the limits in force are the same on all replicas, and for this command' +
      (lastChange === undefined ? '' : `; ${lastChange}`))
  }
  return note('all replicas hold the same limits, but this command has others',
    'run it with the LIMITS_FILE and MODULES of the replicas')
}

const ONE_FILE = 'finish the release, or give all replicas one LIMITS_FILE and the same MODULES, and restart them'

/** A limit of LIMITS_FILE that is not the same on all replicas. */
export interface DifferingRow {
  policy: string
  /** `any` for everyone. */
  network: string
  /** Each form of the limit, and who has it. */
  own: Array<{ limit: string, replicas: string[] }>
  /** What was set at run time in its place; null if nothing was, so that each replica limits by its own. */
  covered: string | null
}

/** @param set the rows that were set at run time */
export function differingRows (replicas: Replica[], { policies = {}, networks = {} }: LimitsFile): DifferingRow[] {
  // A replica of another release, or one with hundreds of rows, does not say.
  const known = replicas.filter(({ own }) => own !== undefined)
  const rows = known.flatMap(({ own }) => own!)
  const named = new Map(rows.map(row => [`${row.name} ${row.network}`, row]))
  return [...named.values()].flatMap(({ name: policy, network }) => {
    const forms = new Map<string, string[]>()
    for (const replica of known) {
      const row = replica.own!.find(one => one.name === policy && one.network === network)
      const limit = row ? textOfLimit(row) : textOfDefault(policy, network)
      forms.set(limit, [...forms.get(limit) ?? [], nameOf(replica)])
    }
    if (forms.size < 2) return []
    const live = network === 'any' ? policies[policy] : networks[network]?.[policy]
    const covered = live === undefined ? null : typeof live === 'string' ? live : textOf(live)
    return { policy, network, own: [...forms].map(([limit, replicas]) => ({ limit, replicas })), covered }
  })
}

function textOfDefault (policy: string, network: string): string {
  const limit = network === 'any' ? defaultLimits.policies[policy as PolicyName] : undefined
  return limit ? textOf(rowOf(limit)) : 'no limit of its own'
}

export function textOfDiffering ({ policy, network, own, covered }: DifferingRow): string {
  const forms = own.map(({ limit, replicas }) => `${limit} on ${replicas.join(', ')}`).join('; ')
  return `LIMITS_FILE differs: ${policy}${network === 'any' ? '' : ` for ${network}`} is ${forms}. ` +
    (covered === null ? 'Each limits by its own' : `What was set at run time covers it: ${covered}`)
}

const judgeRow = (row: DifferingRow): Result => action(textOfDiffering(row), ONE_FILE)

import { getOrCreate } from '../../base/get-or-create.js'
import { defaultLimits, policyToRow, type PolicyName } from '../limits/policies.js'
import type { LimitsFile } from '../limits/row-schema.js'
import { numbersText, limitRowText } from '../limits/limit-rows.js'
import type { Replica } from './replicas.js'

/** A limit of LIMITS_FILE that is not the same on all replicas. */
interface DifferingRow {
  policy: string
  /** `any` for everyone. */
  network: string
  /** Each form of the limit, and who has it. */
  own: Array<{ limit: string, replicas: string[] }>
  /** The row that was set at run time instead; null if none was, so that each replica applies its own. */
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
      const limit = row ? limitRowText(row) : textOfDefault(policy, network)
      getOrCreate(forms, limit, (): string[] => []).push(replica.name)
    }
    if (forms.size < 2) return []
    const live = network === 'any' ? policies[policy] : networks[network]?.[policy]
    const covered = live === undefined ? null : typeof live === 'string' ? live : numbersText(live)
    return { policy, network, own: [...forms].map(([limit, replicas]) => ({ limit, replicas })), covered }
  })
}

function textOfDefault (policy: string, network: string): string {
  const limit = network === 'any' ? defaultLimits.policies[policy as PolicyName] : undefined
  return limit ? numbersText(policyToRow(limit)) : 'no limit of its own'
}

export function differingRowText ({ policy, network, own, covered }: DifferingRow): string {
  const forms = own.map(({ limit, replicas }) => `${limit} on ${replicas.join(', ')}`).join('; ')
  return `LIMITS_FILE differs: ${policy}${network === 'any' ? '' : ` for ${network}`} is ${forms}. ` +
    (covered === null ? 'Each limits by its own' : `What was set at run time covers it: ${covered}`)
}

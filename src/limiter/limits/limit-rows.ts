import type { Policy } from '../bucket/bucket.js'
import { defaultLimits, limitText, policyToRow, type Limits, type Override, type PolicyName } from './policies.js'
import type { NetworkRule, Mode, Numbers, FileRow } from './row-schema.js'

/** One limit, for everyone or for a network. */
export interface LimitRow extends Partial<Omit<FileRow, 'mode' | 'candidate'>> {
  /** The name of the policy. */
  name: string
  /** `any` for everyone. */
  network: string
  source: 'default' | 'LIMITS_FILE' | 'live'
  /** The mode of the limit; or for a network that has none, `exempt` or `block`. */
  mode: Mode | NetworkRule
  /** The candidate that is tried beside this limit. */
  candidate?: Numbers
}

/** @param base LIMITS_FILE and the defaults: what differs from them was set at run time */
export function limitRowsOf ({ policies, networks }: Limits, base: Limits): LimitRow[] {
  const everyone = Object.entries(policies as Record<string, Policy>).map(([policy, limit]) =>
    row(policy, 'any', limit, sourceOf(limit, policy, base)))
  const some = networks.flatMap(({ text, overrides }) =>
    Object.entries(overrides as Record<string, Override>).map(([policy, limit]) => {
      const before = base.networks.find(one => one.text === text)?.overrides as Record<string, Override> | undefined
      return row(policy, text, limit, before?.[policy] === limit ? 'LIMITS_FILE' : 'live')
    }))
  return [...everyone, ...some]
}

function sourceOf (limit: Policy, policy: string, base: Limits): LimitRow['source'] {
  if (base.policies[policy as PolicyName] !== limit) return 'live'
  return defaultLimits.policies[policy as PolicyName] === limit ? 'default' : 'LIMITS_FILE'
}

function row (name: string, network: string, limit: Override, source: LimitRow['source']): LimitRow {
  if (typeof limit === 'string') return { name, network, source, mode: limit }
  return { name, network, ...policyToRow(limit), mode: limit.off ? 'off' : 'enforce', source }
}

export function limitRowText ({ mode, candidate, ...numbers }: Pick<LimitRow, 'mode' | 'candidate'>): string {
  if (mode === 'exempt' || mode === 'block') return mode
  const modeText = mode === 'enforce' ? '' : ` (${mode})`
  return numbersText(numbers as FileRow) + modeText + (candidate ? `; tried: ${numbersText(candidate)}` : '')
}

export const numbersText = ({ capacity, refill, period, address }: FileRow): string =>
  limitText({ capacity, refill, period }) + (address ? ` for each user; ${numbersText(address)} shared` : '')

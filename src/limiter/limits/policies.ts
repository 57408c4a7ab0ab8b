import { createHash } from 'node:crypto'
import { MAX_REFILL, type Policy } from '../bucket/bucket.js'
import { contains, networkText, parseNetwork, type Address, type Network } from '../../base/networks.js'
import { Clients, type Client } from './client.js'
import { formatPeriod, parsePeriod } from './period.js'
import type { NetworkRule, LimitsFile, NetworkRow, Numbers, FileRow } from './row-schema.js'

/** The policy of every request whose route names none. */
export const DEFAULT_POLICY = 'general'

interface DefaultRow extends FileRow {
  /**
   * Whether the policy can count by user. Those that cannot are for requests without a token, or for requests that
   * could be used to guess passwords. Policies of modules can.
   */
  canCountByUser?: true
}

/**
 * Each policy once. An operation names its policy in openapi/endpoints.ts, and a module in modules/module.ts. The last
 * two rows limit failed logins: per account, and per account and address. See auth/account-throttle.ts.
 */
const table = {
  login: { capacity: 5, refill: 1, period: '1m' },
  'sign-in': { capacity: 60, refill: 60, period: '1m' },
  'forgot-password': { capacity: 3, refill: 1, period: '1h' },
  'user-creation': { capacity: 10, refill: 1, period: '1h' },
  'reset-password': { capacity: 5, refill: 1, period: '5m' },
  public: { capacity: 600, refill: 600, period: '1m' },
  session: {
    capacity: 10, refill: 10, period: '1m', canCountByUser: true, address: { capacity: 600, refill: 600, period: '1m' }
  },
  general: { capacity: 100, refill: 10, period: '1m', canCountByUser: true },
  account: { capacity: 100, refill: 10, period: '1h' },
  'account-address': { capacity: 10, refill: 1, period: '1h' }
} as const satisfies Record<string, DefaultRow>

export type PolicyName = keyof typeof table

/** The policies whose buckets belong to an account, alone or with an address. Networks cannot change them. */
type AccountPolicy = 'account' | 'account-address'

declare const ofModule: unique symbol

/** A policy that LIMITS_FILE defines for a module: its name is not one of the table's. */
export type ModulePolicy = string & { readonly [ofModule]: true }

/** The policies by which an address is limited. */
export type AddressPolicy = Exclude<PolicyName, AccountPolicy> | ModulePolicy

export const policyNames = Object.keys(table) as PolicyName[]

const isPolicyName = (name: string): name is PolicyName => Object.hasOwn(table, name)

/** The policy of a request, by the `config` of its route. */
export const routePolicy = ({ policy = DEFAULT_POLICY }: { policy?: AddressPolicy } = {}): AddressPolicy => policy

/** The policy of the canary: see fleet/canary.ts. */
export const CANARY_NAME = 'canary'

/** The policy of the buckets with which commands test Redis. They belong to no client, and expire after a second. */
export const PROBE_POLICY: Policy = { name: 'doctor', capacity: 100, refill: 100, periodMs: 1000 }

/** Whether a text can name a policy of a module. Names go into the keys of buckets. */
export const isModulePolicy = (name: string): name is ModulePolicy =>
  /^[a-z][a-z\d-]{0,31}$/.test(name) && !isPolicyName(name) && name !== CANARY_NAME &&
  ![RETURNED, SHARED, CANDIDATE].some(prefix => name.startsWith(prefix))

export const isAccountPolicy = (name: string): name is AccountPolicy => name === 'account' || name === 'account-address'

export type Override = Policy | NetworkRule

/** Every limit that is in force: the table, what replaces it in some networks, and which addresses are one client. */
export interface Limits {
  clients: Clients
  policies: Readonly<Record<PolicyName | ModulePolicy, Policy>>
  /** Longest prefix first. */
  networks: ReadonlyArray<{ text: string, network: Network, overrides: Partial<Record<AddressPolicy, Override>> }>
}

export const canCountByUser = (name: string): boolean =>
  !isPolicyName(name) || (table[name] as DefaultRow).canCountByUser === true

const SHARED = 'shared-'

/** The name of the limit that all users of one address share, in front of a limit by user. */
export const toSharedName = (name: string): string => SHARED + name

/** The name of the policy behind a shared limit; undefined if this is not a shared limit. */
export const fromSharedName = (name: string): string | undefined => withoutPrefix(name, SHARED)

const RETURNED = 'returned-'

/** The budget for tokens of a policy that are returned after load shedding: at most `capacity` a period. */
export function returnedBudget (policy: Policy): Policy {
  const { name, capacity, periodMs } = policy
  return { name: RETURNED + name, capacity, refill: Math.min(capacity, MAX_REFILL), periodMs }
}

const CANDIDATE = 'candidate-'

/** The policy of the buckets in which other limits of this name are tried. */
const candidateName = (name: string): string => CANDIDATE + name

const withoutPrefix = (name: string, prefix: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined

/** The policy that a shared limit or a candidate belongs to, or the policy of this name itself. */
export const basePolicyName = (name: string): string => fromSharedName(name) ?? withoutPrefix(name, CANDIDATE) ?? name

export const hasPolicy = (limits: Limits, name: string): name is PolicyName | ModulePolicy =>
  Object.hasOwn(limits.policies, name)

/** The limit that applies to one client. The longest matching prefix that names this policy decides. */
export function limitFor (limits: Limits, name: AddressPolicy, client: Client): Override {
  let address: Address | undefined
  for (const { network, overrides } of limits.networks) {
    const override = overrides[name]
    if (override !== undefined && contains(network, address ??= client.address)) return override
  }
  return limits.policies[name]!
}

/** A limit in words. */
export const limitText = ({ capacity, refill, period }: Numbers): string =>
  `${capacity} at once, then ${refill} every ${period}`

export const defaultLimits = overlayLimits(
  { policies: {} as Limits['policies'], networks: [], clients: new Clients() },
  { policies: table as Record<string, FileRow> }
)

/** Limits with the rows of a file in place of theirs. */
export function overlayLimits (base: Limits, { policies = {}, networks = {} }: LimitsFile): Limits {
  const all = new Map(base.networks.map(network => [networkText(network.network), network]))
  for (const [text, rows] of Object.entries(networks)) {
    const network = parseNetwork(text)
    const before = all.get(networkText(network)) ?? { text, network, overrides: {} }
    const overrides = Object.entries(rows).map(([name, row]) => [name, limitOf(name, row)])
    all.set(networkText(network), { ...before, overrides: { ...before.overrides, ...Object.fromEntries(overrides) } })
  }
  const changed = Object.entries(policies).map(([name, row]) => [name, limitOf(name, row)])
  return {
    policies: { ...base.policies, ...Object.fromEntries(changed) },
    networks: [...all.values()].sort((a, b) => b.network.prefixLength - a.network.prefixLength),
    clients: base.clients
  }
}

function limitOf (name: string, row: NetworkRow): Override {
  if (typeof row === 'string') return row
  const isShadow = row.mode === 'shadow'
  const off = (isShadow || row.mode === 'off') && { off: true as const }
  const candidate = row.candidate ?? (isShadow ? row : undefined)
  return {
    ...policy(name, row),
    ...off,
    ...row.address && { address: { ...policy(toSharedName(name), row.address), ...off } },
    ...candidate && { candidate: policy(candidateName(name), candidate) }
  }
}

/** A limit as a limits file writes it. */
export function policyToRow ({ address, off, candidate, ...policy }: Policy): FileRow {
  return {
    ...numbersOf(policy),
    ...address && { by: 'user' as const, address: numbersOf(address) },
    ...off && { mode: 'off' as const },
    ...candidate && { candidate: numbersOf(candidate) }
  }
}

export const numbersOf = ({ capacity, refill, periodMs }: Omit<Policy, 'name'>): Numbers =>
  ({ capacity, refill, period: formatPeriod(periodMs) })

/** Limits have the same digest if everything in them is the same. */
export function limitsDigest ({ policies, networks }: Limits): string {
  const all = [
    ...linesOf('any', policies),
    ...networks.flatMap(({ network, overrides }) => linesOf(networkText(network), overrides))
  ]
  return createHash('sha256').update(JSON.stringify(all.sort())).digest('hex').slice(0, 16)
}

const linesOf = (network: string, limits: object): string[] =>
  Object.entries(limits).map(([name, limit]: [string, Override]) =>
    JSON.stringify([network, name, typeof limit === 'string' ? limit : policyToRow(limit)]))

function policy (name: string, { capacity, refill, period }: Numbers): Policy {
  return { name, capacity, refill, periodMs: parsePeriod(period)! }
}

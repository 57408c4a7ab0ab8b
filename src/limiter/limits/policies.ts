import type { Policy } from '../bucket/bucket.js'
import { CANARY } from '../fleet/canary.js'
import { contains, type Client, type Network } from './client.js'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A route names its row in `config.limit`. All other requests are `general`. The last two rows limit failed logins: per
 * account, and per account and address. See auth/account-throttle.ts.
 */
const defaults = {
  login: policy('login', 5, 1, '1m'),
  'forgot-password': policy('forgot-password', 3, 1, '1h'),
  'user-creation': policy('user-creation', 10, 1, '1h'),
  'reset-password': policy('reset-password', 5, 1, '5m'),
  public: policy('public', 600, 600, '1m'),
  general: policy('general', 100, 10, '1m'),
  account: policy('account', 100, 10, '1h'),
  'account-address': policy('account-address', 10, 1, '1h')
}

export type PolicyName = keyof typeof defaults

/** The policies whose buckets belong to an account, alone or with an address. Networks cannot change them. */
export type AccountPolicy = 'account' | 'account-address'

declare const ofModule: unique symbol

/** A policy that LIMITS_FILE defines for a module: its name is not one of the table's. */
export type ModulePolicy = string & { readonly [ofModule]: true }

/** The policies by which an address is limited. */
export type AddressPolicy = Exclude<PolicyName, AccountPolicy> | ModulePolicy

export const policyNames = Object.keys(defaults) as PolicyName[]

export const isPolicyName = (name: string): name is PolicyName => Object.hasOwn(defaults, name)

/** Whether a text can name a policy of a module. Names go into the keys of buckets. */
export const isModulePolicy = (name: string): name is ModulePolicy =>
  /^[a-z][a-z\d-]{0,31}$/.test(name) && !isPolicyName(name) && name !== CANARY.name &&
  ![RETURNED, SHARED, CANDIDATE].some(prefix => name.startsWith(prefix))

export const isAccountPolicy = (name: string): name is AccountPolicy => name === 'account' || name === 'account-address'

/** `exempt` takes no token; `block` refuses every request. */
export type Override = Policy | 'exempt' | 'block'

/** Every limit that is in force: the table, and what replaces it in some networks. */
export interface Limits {
  policies: Readonly<Record<PolicyName | ModulePolicy, Policy>>
  /** Longest prefix first. */
  networks: ReadonlyArray<{ text: string, network: Network, overrides: Partial<Record<AddressPolicy, Override>> }>
}

export const defaultLimits: Limits = { policies: defaults, networks: [] }

/**
 * The policies that can count by user. The others are for requests without a token, or for requests that could be used
 * to guess passwords.
 */
export const canCountByUser = (name: string): boolean => name === 'general' || !isPolicyName(name)

const SHARED = 'shared-'

/** The name of the limit that all users of one address share, in front of a limit by user. */
export const sharedName = (name: string): string => SHARED + name

/** The name of the policy behind a shared limit; undefined if this is not a shared limit. */
export function sharedPolicyName (name: string): string | undefined {
  return name.startsWith(SHARED) ? name.slice(SHARED.length) : undefined
}

const RETURNED = 'returned-'

/** The budget for tokens of a policy that are returned after load shedding: at most `capacity` a period. */
export function returnedBudget (policy: Policy): Policy {
  const { name, capacity, periodMs } = policy
  return { name: RETURNED + name, capacity, refill: capacity, periodMs }
}

/** The name of the policy that this budget belongs to; undefined if it is not a budget. */
export function returnedPolicyName (name: string): string | undefined {
  return name.startsWith(RETURNED) ? name.slice(RETURNED.length) : undefined
}

const CANDIDATE = 'candidate-'

/** The policy of the buckets in which other limits of this name are tried. */
export const candidateName = (name: string): string => CANDIDATE + name

export const isLimited = (limits: Limits, name: string): name is PolicyName | ModulePolicy =>
  Object.hasOwn(limits.policies, name)

/** The limit that applies to one client. The longest matching prefix that names this policy decides. */
export function limitFor (limits: Limits, name: AddressPolicy, client: Client): Override {
  for (const { network, overrides } of limits.networks) {
    const override = overrides[name]
    if (override !== undefined && contains(network, client.address)) return override
  }
  return limits.policies[name]!
}

/** The limit of a user under a policy, from any address; undefined if the policy does not count by user anywhere. */
export function userLimitFor (limits: Limits, name: AddressPolicy): Policy | undefined {
  const all = [limits.policies[name], ...limits.networks.map(({ overrides }) => overrides[name])]
  return all.filter(limit => typeof limit === 'object').find(({ address }) => address !== undefined)
}

/** @returns milliseconds, or undefined for a text that is not a time from 1 second to 30 days */
export function parsePeriod (value: unknown): number | undefined {
  const [, count, unit] = (typeof value === 'string' && /^(\d{1,7})([smhd])$/.exec(value)) || []
  const ms = Number(count) * unitMs[unit ?? '']!
  return ms >= 1000 && ms <= 30 * unitMs.d! ? ms : undefined
}

/** The inverse: `60000` becomes `1m`. */
export function formatPeriod (ms: number): string {
  const unit = ['d', 'h', 'm', 's'].find(unit => ms % unitMs[unit]! === 0)
  return unit ? `${ms / unitMs[unit]!}${unit}` : `${ms}ms`
}

function policy (name: string, capacity: number, refill: number, period: string): Policy {
  return { name, capacity, refill, periodMs: parsePeriod(period)! }
}

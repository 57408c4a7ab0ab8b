import type { Policy } from './bucket.js'
import { contains, networkText, parseNetwork, type Client, type Network } from './client.js'
import { repeatedKeys } from './repeated-keys.js'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A route names its row in `config.limit`; every other request is `general`. The last two rows limit failed logins: all
 * of one account together, and those of one account from one address. See auth/account-throttle.ts.
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

/** The policies whose buckets belong to an account; a network cannot change them. */
export type AccountPolicy = 'account' | 'account-address'

/** The policies by which an address is limited. */
export type AddressPolicy = Exclude<PolicyName, AccountPolicy>

export const policyNames = Object.keys(defaults) as PolicyName[]

export const isPolicyName = (name: string): name is PolicyName => Object.hasOwn(defaults, name)

export const isAccountPolicy = (name: string): name is AccountPolicy => name === 'account' || name === 'account-address'

type Override = Policy | 'exempt'

/** Every limit that is in force: the table, and what holds in some networks instead. */
export interface Limits {
  policies: Readonly<Record<PolicyName, Policy>>
  /** Longest prefix first. */
  networks: ReadonlyArray<{ text: string, network: Network, overrides: Partial<Record<AddressPolicy, Override>> }>
}

export const defaultLimits: Limits = { policies: defaults, networks: [] }

const RETURNED = 'returned-'

/** From what the tokens of a policy come back that were taken for nothing: at most `capacity` a period. */
export function returnedBudget (policy: Policy): Policy {
  return { ...policy, name: RETURNED + policy.name, refill: policy.capacity }
}

/** The name of the policy whose budget this is; undefined if it is none. */
export function returnedPolicyName (name: string): string | undefined {
  return name.startsWith(RETURNED) ? name.slice(RETURNED.length) : undefined
}

/** What one client is held to, by the longest prefix that says something of this policy; `exempt` takes no token. */
export function limitFor (limits: Limits, name: AddressPolicy, client: Client): Override {
  for (const { network, overrides } of limits.networks) {
    const override = overrides[name]
    if (override !== undefined && contains(network, client.address)) return override
  }
  return limits.policies[name]
}

/**
 * Reads a limits file: `{"policies":{"login":{"capacity":5,"refill":1,"period":"1m"}},
 * "networks":{"203.0.113.0/24":{"login":{…},"general":"exempt"}}}`. What it does not name keeps its default.
 *
 * @throws {LimitsError} with every fault of the file
 */
export function parseLimits (json: string): Limits {
  const faults: string[] = []
  let file: unknown
  try {
    file = JSON.parse(json)
  } catch (error) {
    throw new LimitsError([`is not JSON: ${(error as Error).message}`])
  }
  for (const key of repeatedKeys(json)) faults.push(`${key}: is there twice`)
  const { policies, networks } = readObject(file, 'the file', ['policies', 'networks'], faults)

  const overridden = { ...defaults }
  for (const [name, value] of entries(policies, 'policies', faults)) {
    const override = readOverride(name, value, `policies.${name}`, faults)
    if (override === 'exempt') faults.push(`policies.${name}: only a network can be exempt`)
    else if (override) overridden[name as PolicyName] = override
  }
  const limits = { policies: overridden, networks: readNetworks(networks, faults) }
  if (faults.length > 0) throw new LimitsError(faults)
  return limits
}

export class LimitsError extends Error {
  constructor (readonly faults: string[]) {
    super(faults.join('\n'))
  }
}

function readNetworks (value: unknown, faults: string[]): Limits['networks'] {
  const networks: Limits['networks'][number][] = []
  const texts = new Map<string, string>()
  for (const [text, rows] of entries(value, 'networks', faults)) {
    let network: Network
    try {
      network = parseNetwork(text)
    } catch (error) {
      faults.push(`networks: ${(error as Error).message}`)
      continue
    }
    if (network[0].kind() === 'ipv6' && network[1] > 64) faults.push(`networks.${text}: a client is a whole IPv6 /64, so the prefix must be 64 or shorter`)
    const same = texts.get(networkText(network))
    if (same !== undefined) faults.push(`networks.${text}: is the same network as ${same}`)
    texts.set(networkText(network), text)
    const overrides: Partial<Record<AddressPolicy, Override>> = {}
    for (const [name, row] of entries(rows, `networks.${text}`, faults)) {
      const override = readOverride(name, row, `networks.${text}.${name}`, faults)
      if (isAccountPolicy(name)) faults.push(`networks.${text}.${name}: an account is in no network; its limit stands in policies`)
      else if (override) overrides[name as AddressPolicy] = override
    }
    networks.push({ text, network, overrides })
  }
  return networks.sort((a, b) => b.network[1] - a.network[1])
}

function readOverride (name: string, value: unknown, where: string, faults: string[]): Override | undefined {
  if (!isPolicyName(name)) {
    faults.push(`${where}: there is no policy of this name; there are ${policyNames.join(', ')}`)
    return undefined
  }
  if (value === 'exempt') return value
  const { capacity, refill, period } = readObject(value, where, ['capacity', 'refill', 'period'], faults)
  const found = faults.length
  if (!isIntegerUpTo(capacity, 1_000_000)) faults.push(`${where}.capacity: must be a whole number from 1 to 1000000`)
  if (!isIntegerUpTo(refill, typeof capacity === 'number' ? capacity : 1_000_000)) faults.push(`${where}.refill: must be a whole number from 1 to the capacity`)
  const periodMs = parsePeriod(period)
  if (periodMs === undefined) faults.push(`${where}.period: must be a time from "1s" to "30d", such as "90s", "5m", "1h" or "1d"`)
  return faults.length > found ? undefined : { name, capacity: capacity as number, refill: refill as number, periodMs: periodMs! }
}

function readObject (value: unknown, where: string, keys: string[], faults: string[]): Record<string, unknown> {
  const found = Object.fromEntries(entries(value ?? null, where, faults))
  for (const key of Object.keys(found)) {
    if (!keys.includes(key)) faults.push(`${where}: there is no "${key}" here; there are ${keys.join(', ')}`)
  }
  return found
}

function entries (value: unknown, where: string, faults: string[]): Array<[string, unknown]> {
  if (value === undefined) return []
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  faults.push(`${where}: must be an object`)
  return []
}

function isIntegerUpTo (value: unknown, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max
}

/** @returns milliseconds, or undefined for a text that is not a time from 1 second to 30 days */
function parsePeriod (value: unknown): number | undefined {
  const [, count, unit] = (typeof value === 'string' && /^(\d{1,7})([smhd])$/.exec(value)) || []
  const ms = Number(count) * unitMs[unit ?? '']!
  return ms >= 1000 && ms <= 30 * unitMs.d! ? ms : undefined
}

/** The other way: `60000` is `1m`. */
export function formatPeriod (ms: number): string {
  const unit = ['d', 'h', 'm', 's'].find(unit => ms % unitMs[unit]! === 0)
  return unit ? `${ms / unitMs[unit]!}${unit}` : `${ms}ms`
}

function policy (name: string, capacity: number, refill: number, period: string): Policy {
  return { name, capacity, refill, periodMs: parsePeriod(period)! }
}

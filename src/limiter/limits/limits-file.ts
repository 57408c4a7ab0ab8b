import { networkText, parseNetwork, type Network } from './client.js'
import type { Policy } from '../bucket/bucket.js'
import {
  canCountByUser, defaultLimits, formatPeriod, isAccountPolicy, isPolicyName, parsePeriod, policyNames, sharedName,
  type AddressPolicy, type Limits, type ModulePolicy, type Override, type PolicyName
} from './policies.js'
import { repeatedKeys } from './repeated-keys.js'

const MAX_CAPACITY = 1_000_000

/**
 * Reads a limits file: `{"policies":{"login":{"capacity":5,"refill":1,"period":"1m"}},
 * "networks":{"203.0.113.0/24":{"login":{…},"general":"exempt"}}}`. Limits that it does not name keep their defaults.
 *
 * @param isOfModule whether a module names this policy
 * @throws {LimitsError} with every fault of the file
 */
export function parseLimits (json: string, isOfModule: (name: string) => boolean = () => false): Limits {
  const faults: string[] = []
  let file: unknown
  try {
    file = JSON.parse(json)
  } catch (error) {
    throw new LimitsError([`is not JSON: ${(error as Error).message}`])
  }
  for (const key of repeatedKeys(json)) faults.push(`${key}: is there twice`)
  const { policies, networks } = readObject(file, 'the file', ['policies', 'networks'], faults)

  const isKnown = (name: string): name is PolicyName | ModulePolicy => isPolicyName(name) || isOfModule(name)
  const overridden = { ...defaultLimits.policies }
  for (const [name, value] of entries(policies, 'policies', faults)) {
    const override = readOverride(name, value, `policies.${name}`, isKnown, faults)
    if (override === 'exempt') faults.push(`policies.${name}: only a network can be exempt`)
    else if (override) overridden[name as PolicyName | ModulePolicy] = override
  }
  const limits = { policies: overridden, networks: readNetworks(networks, isKnown, faults) }
  if (faults.length > 0) throw new LimitsError(faults)
  return limits
}

export class LimitsError extends Error {
  constructor (readonly faults: string[]) {
    super(faults.join('\n'))
  }
}

/** A limit as it is written in a limits file. */
export interface Row {
  capacity: number
  refill: number
  period: string
  by?: 'user'
  address?: Row
}

/** The inverse of reading: a limit as it is written in the file. */
export function rowOf ({ capacity, refill, periodMs, address }: Policy): Row {
  return { capacity, refill, period: formatPeriod(periodMs), ...address && { by: 'user', address: rowOf(address) } }
}

function readNetworks (value: unknown, isKnown: (name: string) => boolean, faults: string[]): Limits['networks'] {
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
    if (network.address.kind() === 'ipv6' && network.prefixLength > 64) {
      faults.push(`networks.${text}: a client is a whole IPv6 /64, so the prefix must be 64 or shorter`)
    }
    const same = texts.get(networkText(network))
    if (same !== undefined) faults.push(`networks.${text}: is the same network as ${same}`)
    texts.set(networkText(network), text)
    const overrides: Partial<Record<AddressPolicy, Override>> = {}
    for (const [name, row] of entries(rows, `networks.${text}`, faults)) {
      const override = readOverride(name, row, `networks.${text}.${name}`, isKnown, faults)
      if (isAccountPolicy(name)) {
        faults.push(`networks.${text}.${name}: an account is in no network; its limit stands in policies`)
      } else if (override) overrides[name as AddressPolicy] = override
    }
    networks.push({ text, network, overrides })
  }
  return networks.sort((a, b) => b.network.prefixLength - a.network.prefixLength)
}

function readOverride (
  name: string, value: unknown, where: string, isKnown: (name: string) => boolean, faults: string[]
): Policy | 'exempt' | undefined {
  if (!isKnown(name)) {
    const known = policyNames.join(', ')
    faults.push(`${where}: there is no policy of this name; there are ${known}, and those that a module names`)
    return undefined
  }
  if (value === 'exempt') return value
  const found = faults.length
  const { by = 'address', address, ...row } = readObject(
    value, where, ['capacity', 'refill', 'period', 'by', 'address'], faults
  )
  const policy = readPolicy(name, row, where, faults)
  if (by === 'user') {
    if (!canCountByUser(name)) faults.push(`${where}.by: only general and policies of modules can count by user`)
    const keys = ['capacity', 'refill', 'period']
    const shared = readPolicy(
      sharedName(name), readObject(address, `${where}.address`, keys, faults), `${where}.address`, faults
    )
    if (policy && shared && shared.capacity < policy.capacity) {
      faults.push(`${where}.address.capacity: must be at least the capacity of one user`)
    }
    return policy && shared && faults.length === found ? { ...policy, address: shared } : undefined
  }
  if (by !== 'address') faults.push(`${where}.by: must be address or user`)
  if (address !== undefined) faults.push(`${where}.address: is for limits with "by": "user"`)
  return faults.length === found ? policy : undefined
}

function readPolicy (
  name: string, { capacity, refill, period }: Record<string, unknown>, where: string, faults: string[]
): Policy | undefined {
  const found = faults.length
  if (!isIntegerUpTo(capacity, MAX_CAPACITY)) {
    faults.push(`${where}.capacity: must be a whole number from 1 to ${MAX_CAPACITY}`)
  }
  if (!isIntegerUpTo(refill, typeof capacity === 'number' ? capacity : MAX_CAPACITY)) {
    faults.push(`${where}.refill: must be a whole number from 1 to the capacity`)
  }
  const periodMs = parsePeriod(period)
  if (periodMs === undefined) {
    faults.push(`${where}.period: must be a time from "1s" to "30d", such as "90s", "5m", "1h" or "1d"`)
  }
  if (faults.length > found) return undefined
  return { name, capacity: capacity as number, refill: refill as number, periodMs: periodMs! }
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

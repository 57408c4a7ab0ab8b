import { readFileSync } from 'node:fs'
import type { Policy } from '../../limiter/bucket/bucket.js'
import { rowOf, type Limits } from '../../limiter/limits/policies.js'
import { textOf } from './texts.js'
import { parseLimits, type Row } from '../../limiter/limits/schema.js'
import type { Options } from '../options.js'
import { failureOf, print, table } from '../outcome.js'

export async function check ([file = '']: string[], { json }: Options): Promise<void> {
  const rows = rowsOf(await readLimits(file))
  print(json, rows, () => table(['network', 'policy', 'limit'], rows.map(({ network, policy, limit }) => [
    network, policy,
    typeof limit === 'string' ? limit : textOfLimit(limit)
  ])))
}

function rowsOf ({ policies, networks }: Limits) {
  const everyone = Object.entries(policies).map(([policy, limit]) => ({ network: 'any', policy, limit: limit! }))
  const some = networks.flatMap(({ text, overrides }) =>
    Object.entries(overrides).map(([policy, limit]) => ({ network: text, policy, limit: limit! })))
  return [...everyone, ...some].map(({ network, policy, limit }) => ({
    network,
    policy,
    limit: typeof limit === 'string'
      ? limit
      : { ...rowOf(limit), ...limit.address && { users: usersOf(limit, limit.address) } }
  }))
}

/** How many users of one address can use their full limits at the same time: in a burst, and permanently. */
const usersOf = (user: Policy, address: Policy) => ({
  atOnce: Math.floor(address.capacity / user.capacity),
  steadily: Math.floor(address.refill * user.periodMs / (user.refill * address.periodMs))
})

function textOfLimit ({ address, mode, candidate, users, ...numbers }: Row & { users?: ReturnType<typeof usersOf> }) {
  const shared = address && users
    ? ` for each user; for all users of an address ${textOf(address)}, which is enough for ${users.atOnce} users at ` +
      `once and ${users.steadily} steadily`
    : ''
  return textOf(numbers) + shared + (mode ? ` (${mode})` : '') + (candidate ? `; tried: ${textOf(candidate)}` : '')
}

/** @throws {Failure} with every fault of the file */
export async function readLimits (file: string): Promise<Limits> {
  try {
    const text = readFileSync(file, 'utf8')
    // The configuration takes longer to load than everything else, and it is only needed for the policies of modules.
    const modulePolicies = namesAnother(text) ? (await import('../../config/config.js')).loadModulePolicies() : []
    return parseLimits(text, name => modulePolicies.includes(name))
  } catch (error) {
    throw failureOf(file, error)
  }
}

/** Whether a limits file, which may be faulty, has a policy that is not gatehouse's own. */
function namesAnother (text: string): boolean {
  let found = false
  try {
    parseLimits(text, () => { found = true; return true })
  } catch {
    // The faults are reported when the file is read.
  }
  return found
}

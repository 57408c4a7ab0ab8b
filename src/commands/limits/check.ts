import { readFileSync } from 'node:fs'
import { parseLimits } from '../../limiter/limits/limits-file.js'
import type { Policy } from '../../limiter/bucket/bucket.js'
import { formatPeriod, type Limits } from '../../limiter/limits/policies.js'
import type { Options } from '../options.js'
import { failureOf, print, table } from '../outcome.js'

export async function check ([file = '']: string[], { json }: Options): Promise<void> {
  const rows = rowsOf(await readLimits(file))
  print(json, rows, () => table(['network', 'policy', 'limit'], rows.map(({ network, policy, limit }) => [
    network, policy,
    typeof limit === 'string' ? limit : textOf(limit) + textOfUsers(limit)
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
      : { ...numbersOf(limit), ...limit.address && byUser(limit, limit.address) }
  }))
}

const numbersOf = ({ capacity, refill, periodMs }: Policy) => ({ capacity, refill, period: formatPeriod(periodMs) })

/** How many users of one address can use their full limits at the same time: in a burst, and permanently. */
const byUser = (user: Policy, address: Policy) => ({
  by: 'user' as const,
  address: numbersOf(address),
  users: {
    atOnce: Math.floor(address.capacity / user.capacity),
    steadily: Math.floor(address.refill * user.periodMs / (user.refill * address.periodMs))
  }
})

type Numbers = ReturnType<typeof numbersOf>

const textOf = ({ capacity, refill, period }: Numbers): string => `${capacity} at once, then ${refill} every ${period}`

const textOfUsers = ({ address, users }: Partial<ReturnType<typeof byUser>>): string => address && users
  ? ` for each user; for all users of an address ${textOf(address)}, which is enough for ${users.atOnce} users ` +
    `at once and ${users.steadily} steadily`
  : ''

/** @throws {Failure} with every fault of the file */
export async function readLimits (file: string): Promise<Limits> {
  try {
    const text = readFileSync(file, 'utf8')
    // The configuration takes longer to load than everything else, and it is only needed for the policies of modules.
    const modulePolicies = namesAnother(text) ? (await import('../../config.js')).loadModulePolicies() : []
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

import { readFileSync } from 'node:fs'
import { LimitsError, parseLimits } from '../limiter/limits-file.js'
import { formatPeriod, type Limits } from '../limiter/policies.js'
import type { Options } from './options.js'
import { Failure, NotFound, print, table } from './outcome.js'

export async function check ([file = '']: string[], { json }: Options): Promise<void> {
  const rows = rowsOf(await read(file))
  print(json, rows, () => table(['network', 'policy', 'limit'], rows.map(({ network, policy, limit }) => [
    network, policy, limit === 'exempt' ? limit : `${limit.capacity} at once, then ${limit.refill} every ${limit.period}`
  ])))
}

function rowsOf ({ policies, networks }: Limits) {
  const everyone = Object.entries(policies).map(([policy, limit]) => ({ network: 'any', policy, limit: limit! }))
  const some = networks.flatMap(({ text, overrides }) => Object.entries(overrides).map(([policy, limit]) => ({ network: text, policy, limit: limit! })))
  return [...everyone, ...some].map(({ network, policy, limit }) => ({
    network,
    policy,
    limit: limit === 'exempt' ? limit : { capacity: limit.capacity, refill: limit.refill, period: formatPeriod(limit.periodMs) }
  }))
}

async function read (file: string): Promise<Limits> {
  try {
    const text = readFileSync(file, 'utf8')
    // The configuration takes longer to load than all the rest, and of it only what modules name is needed.
    const modulePolicies = namesAnother(text) ? (await import('../config.js')).loadModulePolicies() : []
    return parseLimits(text, name => modulePolicies.includes(name))
  } catch (error) {
    if (error instanceof LimitsError) {
      throw new Failure(`${file} has ${error.faults.length === 1 ? 'a fault' : `${error.faults.length} faults`}:\n${error.faults.map(fault => `  ${fault}`).join('\n')}`)
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new NotFound(`there is no file ${file}`)
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Whether a limits file, which may be faulty, has a policy that is not gatehouse's own. */
function namesAnother (text: string): boolean {
  let found = false
  try {
    parseLimits(text, () => { found = true; return true })
  } catch {
    // Its faults are named when it is read.
  }
  return found
}

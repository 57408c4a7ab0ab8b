import { readFileSync } from 'node:fs'
import { parsePeriod, type Limits } from '../../limiter/limits/policies.js'
import { rowsOf, type LimitRow } from '../../limiter/limits/rows.js'
import { parseLimits } from '../../limiter/limits/schema.js'
import type { Options } from '../commands.js'
import { failureOf, print, table } from '../outcome.js'
import { textOfLimit } from './texts.js'

export async function check ([file = '']: string[], { json }: Options): Promise<void> {
  const limits = await readLimits(file)
  const rows = rowsOf(limits, limits).map(({ source, ...row }) => ({ ...row, users: usersOf(row) }))
  print(json, rows, () => table(['network', 'policy', 'limit'], rows.map(({ users, ...row }) => [
    row.network, row.name,
    textOfLimit(row) + (users ? `, enough for ${users.atOnce} users at once and ${users.steadily} steadily` : '')
  ])))
}

/** How many users of one address can use their full limits at the same time: in a burst, and permanently. */
function usersOf ({ capacity, refill, period, address }: Omit<LimitRow, 'source'>) {
  return address && {
    atOnce: Math.floor(address.capacity / capacity!),
    steadily: Math.floor(address.refill * parsePeriod(period!)! / (refill! * parsePeriod(address.period)!))
  }
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

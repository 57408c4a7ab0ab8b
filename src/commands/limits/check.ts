import { readTextFile } from '../../base/text-file.js'
import { readClients } from '../../config/load.js'
import { loadModulePolicies } from '../../config/module-settings.js'
import { parsePeriod } from '../../limiter/limits/period.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { limitRowsOf, limitRowText, type LimitRow } from '../../limiter/limits/limit-rows.js'
import { parseLimits } from '../../limiter/limits/limits-file.js'
import type { CommonFlags } from '../options.js'
import { failureOf, print, table } from '../output.js'

export async function check ({ json }: CommonFlags, file: string): Promise<void> {
  const limits = limitsInFile(file)
  const rows = limitRowsOf(limits, limits).map(({ source, ...row }) => ({ ...row, users: usersOf(row) }))
  print(json, rows, () => table(['network', 'policy', 'limit'], rows.map(({ users, ...row }) => [
    row.network, row.name,
    limitRowText(row) + (users ? `, enough for ${users.atOnce} users at once and ${users.steadily} steadily` : '')
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
export function limitsInFile (file: string): Limits {
  try {
    const text = readTextFile(file)
    const modulePolicies = loadModulePolicies()
    return parseLimits(text, readClients(), name => modulePolicies.includes(name))
  } catch (error) {
    throw failureOf(file, error)
  }
}

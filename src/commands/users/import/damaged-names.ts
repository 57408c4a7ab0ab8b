import type { PrismaClient } from '../../../../prisma/client.js'
import type { Step } from './decision.js'
import type { Imported } from './imported.js'
import type { Fault } from './rows.js'

/* What spreadsheets make of names that look like numbers or dates: 00123 becomes 123, and 2023/01 becomes Jan-23. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A number without what a spreadsheet adds or takes away: zeros, `.0`, an exponent. */
function numberIn (name: string): string | undefined {
  const [, digits] = /^0*(\d+)(?:[.,]0+)?$/.exec(name) ?? []
  return digits ?? (/^\d(\.\d+)?e\+?\d{1,2}$/i.test(name) ? BigInt(Number(name)).toString() : undefined)
}

/** In the order of size and without the century, because every country writes dates in another order. */
const keyOf = (numbers: number[]): string => numbers.map(number => number % 100).sort((a, b) => a - b).join(' ')

/** A name that a spreadsheet reads as a date: 3/4, 2023-01, 1-2-26. */
function keyOfOriginal (name: string): string | undefined {
  if (!/^\d{1,4}([-/.]\d{1,4}){1,2}$/.test(name)) return undefined
  const numbers = name.split(/[-/.]/).map(Number)
  const isDate = numbers.some(one => one >= 1 && one <= 12) && numbers.every(one => one <= 31 || one >= 1900)
  return isDate ? keyOf(numbers) : undefined
}

/** What a date may have been: 2026-04-03 perhaps 3/4, and 2023-01-01 perhaps 2023/01. */
function keysOfDate (name: string): string[] {
  const parts = name.toLowerCase().split(/[-/. ]/)
  const months = parts.map(part => MONTHS.indexOf(part.slice(0, 3)) + 1)
  if (!(parts.length === 3 || months.some(month => month > 0)) || parts.length > 3) return []
  const numbers = parts.map((part, i) => months[i] || Number(part))
  if (!numbers.every(Number.isInteger)) return []
  const fewer = numbers.length === 3 ? numbers.map((_, i) => numbers.filter((_, j) => j !== i)) : []
  return [numbers, ...fewer].map(keyOf)
}

/** New names that are perhaps damaged ones of accounts. An account whose name is in the file, too, is another. */
export async function damagedIn (
  db: Pick<PrismaClient, '$queryRaw'>, rows: readonly Imported[], created: readonly Imported[], changed: readonly Step[]
): Promise<Fault[]> {
  const renamed = changed.flatMap(({ changes, account }) => changes.username ? [account!] : [])
  const others = [...created, ...renamed]
  const damaged = await damagedNames(db, others.map(({ username }) => username))
  const names = new Set(damaged.size > 0 ? rows.map(({ username }) => username) : [])
  return others.flatMap(({ line, username }) => {
    const original = damaged.get(username)
    if (original === undefined || names.has(original)) return []
    return [{ line, fault: `username ${username} may be the account ${original} as a spreadsheet writes it` }]
  })
}

/**
 * @param names new ones
 * @returns the account of which each is perhaps the damaged name
 */
async function damagedNames (
  db: Pick<PrismaClient, '$queryRaw'>, names: readonly string[]
): Promise<Map<string, string>> {
  const damaged = new Map<string, string>()
  const suspects = names.filter(name => numberIn(name) !== undefined || keysOfDate(name).length > 0)
  if (suspects.length === 0) return damaged
  const users = await db.$queryRaw<Array<{ username: string }>>`
    SELECT username FROM users WHERE username ~ '^[0-9]+([.,/-][0-9]+){0,2}(e[+]?[0-9]+)?$'`
  const byNumber = new Map(users.map(({ username }) => [numberIn(username), username]))
  const byDate = new Map(users.map(({ username }) => [keyOfOriginal(username), username]))
  byDate.delete(undefined)
  for (const name of suspects) {
    const number = numberIn(name)
    const original = number === undefined
      ? keysOfDate(name).map(key => byDate.get(key)).find(found => found !== undefined)
      : byNumber.get(number)
    if (original !== undefined && original !== name) damaged.set(name, original)
  }
  return damaged
}

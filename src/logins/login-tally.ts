import { dropLeast } from '../base/drop-least.js'
import type { Login, LoginResult } from './logged-login.js'

/** Together about 100 MB when all are full. A school has 30,000 users. */
const MOST = { accounts: 50_000, addresses: 50_000, failures: 100_000, successes: 100_000 }

/** The logins of an account, of an address, or of both. The times are of those that did not succeed. */
export type Tries = Record<LoginResult, number> & { fromMs: number, toMs: number }

/** The successful logins of an account at one address. */
export interface Successes { count: number, fromMs: number, toMs: number }

const newTries = (): Tries => ({ succeeded: 0, failed: 0, refused: 0, fromMs: Infinity, toMs: -Infinity })
const newSuccesses = (): Successes => ({ count: 0, fromMs: Infinity, toMs: -Infinity })

/** The account is empty for names that no user has. */
const pairKey = (account: string | undefined, address: string): string => `${address} ${account ?? ''}`

export interface Pair { account: string, address: string }

export function parsePairKey (key: string): Pair {
  const space = key.indexOf(' ')
  return { account: key.slice(space + 1), address: key.slice(0, space) }
}

export type LoginTally = ReturnType<typeof createLoginTally>

/** Counts logins in any order, with bounded memory. */
export function createLoginTally () {
  const total = { succeeded: 0, failed: 0, refused: 0 }
  const accounts = keepMost(MOST.accounts, newTries, failuresOf)
  const addresses = keepMost(MOST.addresses, newTries, failuresOf)
  const failures = keepMost(MOST.failures, newTries, failuresOf)
  const successes = keepMost(MOST.successes, newSuccesses, ({ toMs }) => toMs)
  let [fromMs, toMs] = [Infinity, -Infinity]

  function note (tries: Tries, { result, atMs }: Login): void {
    tries[result]++
    if (result !== 'succeeded') seen(tries, atMs)
  }

  return {
    total,
    accounts: accounts.kept,
    addresses: addresses.kept,
    /** By `pairKey`. */
    failures: failures.kept,
    successes: successes.kept,
    succeededAt: (account: string, address: string): Successes | undefined =>
      successes.kept().get(pairKey(account, address)),
    failedAt: (account: string, address: string): Tries | undefined => failures.kept().get(pairKey(account, address)),
    span: () => ({ fromMs, toMs }),

    add (login: Login): void {
      const { atMs, result, loginName, address } = login
      total[result]++
      fromMs = Math.min(fromMs, atMs)
      toMs = Math.max(toMs, atMs)
      if (loginName !== undefined) note(accounts.at(loginName), login)
      note(addresses.at(address), login)
      if (result !== 'succeeded') return note(failures.at(pairKey(loginName, address)), login)
      const success = successes.at(pairKey(loginName, address))
      success.count++
      seen(success, atMs)
    },

    /** What was not kept, in words. */
    notes: (): string[] => [
      noteOf('accounts', accounts.dropped),
      noteOf('addresses', addresses.dropped),
      noteOf('accounts at an address', failures.dropped),
      successes.dropped.entries > 0 && `${successes.dropped.entries} of the oldest successes were not kept.`
    ].filter(note => note !== false)
  }
}

const noteOf = (names: string, { entries, missing }: Dropped): string | false => entries > 0 &&
  `${entries} ${names} with few failures were not kept. A row may lack up to ${missing} logins.`

const failuresOf = ({ failed, refused }: Tries): number => failed + refused

function seen (span: { fromMs: number, toMs: number }, atMs: number): void {
  span.fromMs = Math.min(span.fromMs, atMs)
  span.toMs = Math.max(span.toMs, atMs)
}

interface Dropped { entries: number, missing: number }

/**
 * Entries by name, of at most `most` names. If there are more, the half with the least worth is dropped. A name that
 * comes again begins anew, so its entry may lack what was dropped: no more than the sum of the best that were dropped
 * each time.
 */
function keepMost<Entry> (most: number, create: () => Entry, worth: (entry: Entry) => number) {
  const entries = new Map<string, Entry>()
  const dropped: Dropped = { entries: 0, missing: 0 }

  return {
    at (name: string): Entry {
      const known = entries.get(name)
      if (known) return known
      if (entries.size === most) {
        dropped.missing += dropLeast(entries, most / 2, worth)
        dropped.entries += most / 2
      }
      const entry = create()
      entries.set(name, entry)
      return entry
    },
    kept: (): ReadonlyMap<string, Entry> => entries,
    dropped
  }
}

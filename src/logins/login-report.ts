import type { Clients } from '../limiter/limits/client.js'
import { attackerNetwork, attackingNetworks, narrowestBlocks, type Block } from './login-blocks.js'
import { parsePairKey, type Pair, type Successes, type LoginTally, type Tries } from './login-tally.js'

/** An account that fails at so many addresses is attacked, and an address that fails at so many accounts attacks. */
const MANY = 5
/** So many failures of one account, or with names that no user has, are an attack too; or so many of a network. */
const VERY_MANY = 20
/** After fewer failures, a success at the same address is more likely the owner's. */
const MISTYPED = 5
/**
 * Many users log in at an address of a school. It counts as an attacker if it fails at more than this share of them.
 */
const SHARE = 0.25
const MAX_ROWS = 1000

/** What is asked for; everything if neither an account nor an address is set. */
export interface LoginFilter {
  account?: string
  /** The owners of buckets that can be meant by the account. */
  owners?: string[]
  address?: string
}

interface Row {
  failed: number
  /** By the account throttle, so that no password was compared. */
  refused: number
  succeeded: number
  /** ISO 8601, of the first and the last login that did not succeed; null if all did. */
  since: string | null
  last: string | null
}

interface AccountRow extends Row {
  account: string
  /** At how many addresses it failed, and at how many of these it never succeeded. */
  addresses: number
  missed: number
  attacked: boolean
}

interface AddressRow extends Row {
  address: string
  /** At how many accounts it failed, and at how many of these it never succeeded. */
  accounts: number
  missed: number
  /** How many logins had names that no user has. */
  unknownNames: number
  /** How many users got in there. */
  users: number
  attacks: boolean
}

interface PairRow extends Row { account: string | null, address: string }

/** A login that succeeded while its account was attacked, or at an address that attacks. */
interface SuccessRow {
  account: string
  address: string
  at: string
  /** Of this account at this address. */
  failed: number
  /** At how many accounts this address failed. */
  accounts: number
}

/** The successful logins of an account at an address. */
interface GotInRow { account: string, address: string, succeeded: number, first: string, last: string }

export interface LoginReport {
  /** ISO 8601; null without a login. */
  from: string | null
  to: string | null
  succeeded: number
  failed: number
  refused: number
  successes: SuccessRow[]
  /** Who got in where, the latest first; of what was asked for alone. */
  gotIn: GotInRow[]
  accounts: AccountRow[]
  addresses: AddressRow[]
  /** Who failed where, the most first. */
  tried: PairRow[]
  blocks: Block[]
  /** How many addresses attack, also those that only fail at an attacked account, and how many failures they have. */
  attackers: number
  attackFailures: number
  notes: string[]
}

/**
 * @param filter its rows are there in any case, and other rows only if they have to do with it
 * @param clients which networks can be blocked
 */
export function createLoginReport (tally: LoginTally, filter: LoginFilter, clients: Clients): LoginReport {
  const { accounts, addresses } = seenIn(tally)
  const isConcerned = ({ account, address }: Pair): boolean =>
    account === (filter.account ?? account) && address === (filter.address ?? address)
  const failures = [...tally.failures()].map(([key, tries]) => ({ ...parsePairKey(key), tries })).filter(isConcerned)
  const successes = [...tally.successes()].map(([key, success]) => ({ ...parsePairKey(key), success }))
    .filter(isConcerned)
  const concerned = [...failures, ...successes]
  const attacked = mostFailed(accounts, new Set(concerned.map(({ account }) => account)), (account, seen) =>
    isAttacked(seen) || account === filter.account)
  const attacking = mostFailed(addresses, new Set(concerned.map(({ address }) => address)), (address, seen) =>
    isAttacking(seen) || address === filter.address)

  const attackers = new Set(attacking.filter(([, seen]) => isAttacking(seen)).map(([address]) => address))
  const attackingGroups = attackingNetworks(tally, (failures, users) =>
    failures >= VERY_MANY && failures > SHARE * users)
  for (const { account, address, tries } of failures) {
    const guessed = failuresOf(tries) >= MISTYPED || !tally.succeededAt(account, address)
    if (!guessed) continue
    if (isAttacked(accounts.get(account)) || attackingGroups.has(attackerNetwork(address)!)) attackers.add(address)
  }

  function duringAttack ({ account, address, success: { fromMs, toMs } }: Pair & { success: Successes }): SuccessRow[] {
    const [ofAccount, ofAddress] = [accounts.get(account), addresses.get(address)]
    const sinceMs = Math.min(
      isAttacked(ofAccount) ? ofAccount!.tries.fromMs : Infinity,
      isAttacking(ofAddress) ? ofAddress!.tries.fromMs : Infinity
    )
    if (toMs < sinceMs) return []
    const at = iso(fromMs >= sinceMs ? fromMs : toMs)!
    const failed = tally.failedAt(account, address)?.failed ?? 0
    return [{ account, address, at, failed, accounts: ofAddress?.failedAt ?? 0 }]
  }

  const attackFailures = [...attackers].reduce((sum, address) => sum + failuresOf(addresses.get(address)?.tries), 0)
  const { fromMs, toMs } = tally.span()
  return {
    from: iso(fromMs),
    to: iso(toMs),
    ...tally.total,
    successes: successes.flatMap(duringAttack).sort((a, b) =>
      Number(attackers.has(b.address)) - Number(attackers.has(a.address)) || b.failed - a.failed ||
      b.accounts - a.accounts || a.at.localeCompare(b.at)).slice(0, MAX_ROWS),
    gotIn: filter.account === undefined && filter.address === undefined
      ? []
      : successes.map(gotIn).sort((a, b) => b.last.localeCompare(a.last)).slice(0, MAX_ROWS),
    accounts: attacked.slice(0, MAX_ROWS).map(([account, seen]) => ({
      account, ...rowOf(seen.tries), addresses: seen.failedAt, missed: seen.missedAt, attacked: isAttacked(seen)
    })),
    addresses: attacking.slice(0, MAX_ROWS).map(([address, seen]) => ({
      address,
      ...rowOf(seen.tries),
      accounts: seen.failedAt,
      missed: seen.missedAt,
      unknownNames: seen.unknownNames,
      users: seen.succeededAt,
      attacks: isAttacking(seen)
    })),
    tried: failures.sort((a, b) => failuresOf(b.tries) - failuresOf(a.tries)).slice(0, MAX_ROWS)
      .map(({ account, address, tries }) => ({
        account: account === '' ? null : account,
        address,
        ...rowOf({ ...tries, succeeded: tally.succeededAt(account, address)?.count ?? 0 })
      })),
    blocks: narrowestBlocks(tally, attackers, attackFailures, clients),
    attackers: attackers.size,
    attackFailures,
    notes: tally.notes()
  }
}

const gotIn = ({ account, address, success: { count, fromMs, toMs } }: Pair & { success: Successes }): GotInRow =>
  ({ account, address, succeeded: count, first: iso(fromMs)!, last: iso(toMs)! })

/** The logins of an account or an address, and at how many of the other kind it failed, never succeeded, succeeded. */
interface Seen { tries: Tries, failedAt: number, missedAt: number, succeededAt: number, unknownNames: number }

function seenIn (tally: LoginTally): Record<'accounts' | 'addresses', Map<string, Seen>> {
  const seen = (all: ReadonlyMap<string, Tries>): Map<string, Seen> => new Map([...all].map(([name, tries]) =>
    [name, { tries, failedAt: 0, missedAt: 0, succeededAt: 0, unknownNames: 0 }]))
  const [accounts, addresses] = [seen(tally.accounts()), seen(tally.addresses())]
  for (const [key, { failed }] of tally.failures()) {
    const { account, address } = parsePairKey(key)
    const ofAddress = addresses.get(address)
    if (account === '') {
      if (ofAddress) ofAddress.unknownNames = failed
      continue
    }
    const missed = Number(!tally.successes().has(key))
    for (const one of [accounts.get(account), ofAddress]) {
      if (!one) continue
      one.failedAt++
      one.missedAt += missed
    }
  }
  for (const key of tally.successes().keys()) {
    const { account, address } = parsePairKey(key)
    for (const one of [accounts.get(account), addresses.get(address)]) if (one) one.succeededAt++
  }
  return { accounts, addresses }
}

function isAttacked (account: Seen | undefined): boolean {
  if (!account) return false
  const { missedAt, tries } = account
  return missedAt >= MANY || (failuresOf(tries) >= VERY_MANY && failuresOf(tries) > tries.succeeded)
}

function isAttacking (address: Seen | undefined): boolean {
  if (!address) return false
  const { missedAt, unknownNames, succeededAt } = address
  return (missedAt >= MANY || unknownNames >= VERY_MANY) && missedAt + unknownNames > SHARE * succeededAt
}

/** Those of these names, the most failures first. */
const mostFailed = (
  all: Map<string, Seen>, names: Set<string>, isShown: (name: string, seen: Seen) => boolean
): Array<[string, Seen]> => [...all].filter(([name, seen]) => isShown(name, seen) && names.has(name))
  .sort(([, a], [, b]) => failuresOf(b.tries) - failuresOf(a.tries))

const rowOf = ({ failed, refused, succeeded, fromMs, toMs }: Tries): Row =>
  ({ failed, refused, succeeded, since: iso(fromMs), last: iso(toMs) })

const failuresOf = (tries?: Tries): number => tries ? tries.failed + tries.refused : 0

const iso = (ms: number): string | null => Number.isFinite(ms) ? new Date(ms).toISOString() : null

import { accountsCalled, ownersNamed } from '../../auth/owner-names.js'
import type { Config } from '../../config/config.js'
import type { BucketStore } from '../../limiter/bucket/bucket.js'
import type { Limits } from '../../limiter/limits/policies.js'
import {
  chooseBucket, bucketsOfAccounts, bucketView, peekViews, type BucketView
} from '../../limiter/operators/bucket-views.js'
import { emptiest, selectBuckets } from '../../limiter/operators/selection.js'
import type { LoginReport, LoginFilter } from '../../logins/login-report.js'
import { withStore } from '../buckets/with-store.js'
import { Failure } from '../output.js'

/** How many accounts and addresses are looked up. Nobody reads more. */
export const MAX_SHOWN = 20

/** What accounts and addresses have left now. */
export interface Standing {
  /** By username, or by the hash of one that no user has. */
  accounts: Record<string, BucketView>
  /** Under `login`; or in words, why there is no bucket. */
  addresses: Record<string, BucketView | string>
  /** What is left of the account that was asked for at each address. */
  shares: BucketView[]
  /** How many addresses are known to each user; null if the database was not asked. */
  knownAddresses: Record<string, number> | null
  notes: string[]
}

export async function readStanding (config: Config, report: LoginReport, filter: LoginFilter): Promise<Standing> {
  const standing: Standing = { accounts: {}, addresses: {}, shares: [], knownAddresses: null, notes: [] }
  const names = new Set([filter.account, ...report.accounts.map(({ account }) => account)])
  const addresses = new Set([filter.address, ...report.addresses.map(({ address }) => address)])
  await unlessAway(standing, 'what is left of limits', () => withStore(config, async (store, limits) => {
    for (const name of shownOf(names)) {
      const owners = name === filter.account ? filter.owners : undefined
      const view = await viewUnder(store, limits, 'account', owners ?? accountsCalled(name))
      if (typeof view === 'object') standing.accounts[name] = view
    }
    for (const address of shownOf(addresses)) {
      // The log may be of a time with another CLIENT_IPV6_PREFIX.
      const owners = ownersNamed(limits.clients, 'login', address)
      standing.addresses[address] = await viewUnder(store, limits, 'login', owners.length > 0 ? owners : [address])
    }
    if (filter.owners !== undefined) {
      const views = await peekViews(store, await bucketsOfAccounts(store, limits, filter.owners))
      standing.shares = views.filter(({ policy }) => policy === 'account-address')
    }
    // Without a log and a name, the buckets say at least which accounts fail.
    if (report.from === null && shownOf(addresses).length === 0 && shownOf(names).length === 0) {
      const { found } = await emptiest(selectBuckets(store, limits, { policyName: 'account' }), MAX_SHOWN)
      for (const view of found.map(bucketView)) standing.accounts[view.client] = view
    }
  }))
  if (config.databaseUrl !== undefined) {
    await unlessAway(standing, 'which users there are', () => askDatabase(config, standing, filter))
  }
  return standing
}

const shownOf = (names: Set<string | undefined>): string[] => [...names].filter(name => name !== undefined)
  .slice(0, MAX_SHOWN)

async function unlessAway (standing: Standing, what: string, ask: () => Promise<void>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    standing.notes.push(`It is not known ${what}: ${error.message}`)
  }
}

async function viewUnder (
  store: BucketStore, limits: Limits, policy: string, owners: string[]
): Promise<BucketView | string> {
  const bucket = await chooseBucket(store, limits, policy, owners)
  return typeof bucket === 'string' ? bucket : (await peekViews(store, [bucket]))[0]!
}

/** Also replaces the hashes of users by their names, and notes why the user cannot log in. */
async function askDatabase (config: Config, standing: Standing, { account }: LoginFilter): Promise<void> {
  const [{ withDatabase }, { knownAddressesOf }] = await Promise.all([
    import('../users/with-database.js'), import('../../auth/login-records.js')
  ])
  await withDatabase(async (db) => {
    const user = account === undefined ? undefined : await db.user.findUnique({ where: { username: account } })
    if (user === null) standing.notes.push(`There is no user ${account}.`)
    if (user?.disabledAt) standing.notes.push(`${account} is disabled since ${user.disabledAt.toISOString()}.`)
    const views = Object.values(standing.accounts)
    const users = await knownAddressesOf(db, views.map(({ client }) => client))
    standing.knownAddresses = Object.fromEntries(users.map(({ username, known }) => [username, known]))
    const names = new Map(users.map(({ account, username }) => [account, username]))
    standing.accounts = Object.fromEntries(views.map(view => [names.get(view.client) ?? view.client, view]))
  }, 0, config)
}

import type { Config } from '../../config/config.js'
import { accountOfOwner } from '../../limiter/bucket/key.js'
import { isAccountPolicy } from '../../limiter/limits/policies.js'
import { printable } from '../output.js'

/** A row with the owner of a bucket. */
interface Owned { policy: string, client: string }

/** Adds the username to rows whose owner is the hash of one that exists. */
export type NameAccounts = <Row extends Owned>(rows: Row[]) => Promise<Array<Row & { username?: string }>>

/**
 * Without DATABASE_URL, or while the database does not answer, no account has a name. The database is opened when there
 * is an account to name: operators need the other buckets in its outages, too.
 */
export async function withAccountNames (
  config: Config, use: (nameAccounts: NameAccounts) => Promise<unknown>
): Promise<void> {
  const names = new Map<string, string | undefined>()
  let close = async (): Promise<void> => {}
  let learn: ((accounts: string[]) => Promise<void>) | undefined = config.databaseUrl && open

  async function open (accounts: string[]): Promise<void> {
    const { openDatabase } = await import('../../database/database.js')
    const { knownAddressesOf } = await import('../../auth/login-records.js')
    const database = await openDatabase(config)
    close = database.close
    learn = async (accounts) => {
      for (const account of accounts) names.set(account, undefined)
      const users = await knownAddressesOf(database.prisma, accounts)
      for (const { account, username } of users) names.set(account, username)
    }
    await learn(accounts)
  }

  async function nameAccounts<Row extends Owned> (rows: Row[]): Promise<Array<Row & { username?: string }>> {
    const accounts = rows.map(accountOf).filter(account => account !== undefined)
    const unknown = [...new Set(accounts)].filter(account => !names.has(account))
    if (unknown.length > 0) {
      await learn?.(unknown).catch(({ message }: Error) => {
        learn = undefined
        process.stderr.write(`gatehouse: accounts are shown by their hashes: ${printable(message.trim())}\n`)
      })
    }
    return rows.map((row) => {
      const username = names.get(accountOf(row) ?? '')
      return username === undefined ? row : { ...row, username }
    })
  }

  try {
    await use(nameAccounts)
  } finally {
    await close()
  }
}

/** The name of the owner, for a person. */
export const shownOwner = (row: Owned & { username?: string }): string =>
  row.username === undefined ? row.client : row.client.replace(accountOf(row)!, row.username)

const accountOf = ({ policy, client }: Owned): string | undefined =>
  isAccountPolicy(policy) ? accountOfOwner(client) : undefined

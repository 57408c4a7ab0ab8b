import type { PrismaClient } from '../../prisma/client.js'

/** The models of Prisma, by the tables of the service. The order is that in which a missing one is looked for. */
const models = {
  users: 'user',
  sessions: 'session',
  deleted_users: 'deletedUser',
  known_addresses: 'knownAddress',
  mails: 'mail',
  mail_server: 'mailServer',
  database_mark: 'databaseMark',
  rosters: 'roster',
  second_factors: 'secondFactor',
  recovery_codes: 'recoveryCode',
  sign_in_tickets: 'signInTicket'
} as const

/** The tables of the service, as PostgreSQL names them. */
export const tables = Object.keys(models)

/** A column of our table `users`, by which it differs from one of another application. */
export const OWN_COLUMN = 'book_chapter_approver_designation'

/**
 * SQL for the schema that has the tables of the service, or that will have them after the first migration; null if
 * there is none. SQL without a schema follows the search path, which DATABASE_URL, the role, or the database may set.
 * The others do the same: Prisma's models, which name a schema in every query, and migrations.
 */
export const ownSchema = `
  SELECT coalesce((
    SELECT nspname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE attrelid = to_regclass('users') AND attname = '${OWN_COLUMN}'
  ), current_schema())::text AS name, current_setting('search_path') AS path`

export interface OwnSchema { name: string | null, path: string }

/**
 * Whether every table has the columns of this release. The table of migrations would say more, but the service's role
 * might lack the right to read it.
 */
export async function hasSchema (db: PrismaClient): Promise<boolean> {
  try {
    // One after the other, over one connection: side by side, each would open another one at every start.
    for (const model of Object.values(models)) await (db[model] as PrismaClient['user']).findFirst()
    return true
  } catch (error) {
    // P2021 and P2022: a table, or a column, does not exist.
    const { code } = error as { code?: string }
    if (code !== 'P2021' && code !== 'P2022') throw error
    return false
  }
}

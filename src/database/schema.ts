import type { PrismaClient } from '../generated/prisma/client.js'

/** Those of the service, as PostgreSQL names them. */
export const tables = ['users', 'sessions', 'deleted_users', 'known_addresses', 'mails', 'mail_server']

/**
 * Whether every table has the columns of this release. The table of migrations would say more, but the service's role
 * might lack the right to read it.
 */
export async function hasSchema (db: PrismaClient): Promise<boolean> {
  try {
    await Promise.all([
      db.user.findFirst(), db.mail.findFirst(), db.knownAddress.findFirst(), db.session.findFirst(),
      db.deletedUser.findFirst(), db.mailServer.findFirst()
    ])
    return true
  } catch (error) {
    // P2021 and P2022: a table, or a column, does not exist.
    const { code } = error as { code?: string }
    if (code !== 'P2021' && code !== 'P2022') throw error
    return false
  }
}

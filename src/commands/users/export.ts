import type { Prisma } from '../../../prisma/client.js'
import type { CommonFlags } from '../options.js'
import { UsageError, write } from '../output.js'
import { fieldTable, fields } from './import/fields.js'
import { withGuard } from './import/guards.js'
import { storedFields, type Stored } from './import/stored.js'
import { withDatabase } from './with-database.js'

const PAGE = 1000
const QUERY_MS = 30_000

/** All users as CSV, page by page, in the order in which they were created. */
export async function exportUsers (options: CommonFlags & { 'with-hashes'?: boolean }): Promise<void> {
  if (options.json) throw new UsageError('"users export" writes CSV; "users list --json" writes JSON')
  await withDatabase(async (db) => {
    const shown = new Set(['always', ...options['with-hashes'] ? ['with hashes'] : []])
    const isThere = async (where: Prisma.UserWhereInput): Promise<boolean> =>
      await db.user.findFirst({ where, select: { id: true } }) !== null
    if (await isThere({ source: { not: null } })) shown.add('with rosters')
    if (await isThere({ signInIssuer: { not: null } })) shown.add('with links')
    const columns = fields.filter(field => shown.has(fieldTable[field].exported ?? 'never'))
    let text = `${columns.join(',')}\n`
    for (let after = 0; await write(process.stdout, text);) {
      const users = await db.$queryRaw<Stored[]>`
        SELECT ${storedFields} FROM users WHERE id > ${after} ORDER BY id LIMIT ${PAGE}`
      if (users.length === 0) return
      text = users.map(user => `${columns.map(column => cellOf(user[column])).join(',')}\n`).join('')
      after = users.at(-1)!.userId
    }
  }, QUERY_MS)
}

function cellOf (value: unknown): string {
  const text = withGuard(String(value ?? ''))
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

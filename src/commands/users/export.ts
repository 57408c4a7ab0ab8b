import type { CommonFlags } from '../options.js'
import { UsageError, write } from '../output.js'
import { fields, valueIn, type Field } from './import/fields.js'
import { withDatabase } from './with-database.js'
import { withGuard } from './import/imported.js'

const PAGE = 1000
const QUERY_MS = 30_000

const secret: readonly Field[] = ['passwordHash', 'passwordTemporary']
/** Only if there is an account of a roster. */
const ofRosters: readonly Field[] = ['source', 'sourcedId', 'disabledBySource']
/** Only if there is an account that is linked to an OpenID provider. */
const ofSignIn: readonly Field[] = ['signInIssuer', 'signInSubject']
const onlyRead: readonly Field[] = ['password', 'enabled', 'status']

/** All users as CSV, page by page, in the order in which they were created. */
export async function exportUsers (options: CommonFlags & { 'with-hashes'?: boolean }): Promise<void> {
  if (options.json) throw new UsageError('"users export" writes CSV; "users list --json" writes JSON')
  await withDatabase(async (db) => {
    const hasRoster = await db.user.findFirst({ where: { source: { not: null } }, select: { id: true } }) !== null
    const hasLinks = await db.user.findFirst({ where: { signInIssuer: { not: null } }, select: { id: true } }) !== null
    const columns = fields.filter(field => !onlyRead.includes(field) &&
      (options['with-hashes'] || !secret.includes(field)) && (hasRoster || !ofRosters.includes(field)) &&
      (hasLinks || !ofSignIn.includes(field)))
    let text = `${columns.join(',')}\n`
    for (let after = 0; await write(process.stdout, text);) {
      const users = await db.user.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: PAGE })
      if (users.length === 0) return
      const rows = users.map(user => ({ ...user, disabled: user.disabledAt !== null }))
      text = rows.map(row => `${columns.map(column => cellOf(valueIn(row, column))).join(',')}\n`).join('')
      after = users.at(-1)!.id
    }
  }, QUERY_MS)
}

function cellOf (value: unknown): string {
  const text = withGuard(String(value ?? ''))
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

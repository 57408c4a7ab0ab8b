import type { User } from '../../../prisma/client.js'
import type { Common } from '../options.js'
import { UsageError, write } from '../outcome.js'
import { fields, type Field } from './columns.js'
import { withDatabase } from './with-database.js'
import { withGuard } from './imported.js'

const PAGE = 1000
const QUERY_MS = 30_000

const secret: readonly Field[] = ['passwordHash', 'passwordTemporary']

const cells: Partial<Record<Field, (user: User) => string | number | boolean | null>> = {
  userId: user => user.id,
  username: user => user.username,
  email: user => user.email,
  role: user => user.role,
  userType: user => user.userType,
  adpStatus: user => user.adpStatus,
  book_chapter_approver_designation: user => user.bookChapterApproverDesignation,
  disabled: user => user.disabledAt !== null,
  selfRegistered: user => user.selfRegistered,
  passwordHash: user => user.passwordHash,
  passwordTemporary: user => user.passwordTemporary
}

/** All users as CSV, page by page, in the order in which they were created. */
export async function exportUsers (options: Common & { 'with-hashes'?: boolean }): Promise<void> {
  if (options.json) throw new UsageError('"users export" writes CSV; "users list --json" writes JSON')
  const columns = fields.filter(field => field in cells && (options['with-hashes'] || !secret.includes(field)))
  await withDatabase(async (db) => {
    let text = `${columns.join(',')}\n`
    for (let after = 0; await write(process.stdout, text);) {
      const users = await db.user.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: PAGE })
      if (users.length === 0) return
      text = users.map(user => `${columns.map(column => cellOf(cells[column]!(user))).join(',')}\n`).join('')
      after = users.at(-1)!.id
    }
  }, QUERY_MS)
}

function cellOf (value: string | number | boolean | null): string {
  const text = withGuard(String(value ?? ''))
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

import { columnsOf, listed } from '../../auth/user-fields.js'
import type { Options } from '../options.js'
import { print, table } from '../outcome.js'
import { withDatabase } from './database.js'

export async function list (_args: string[], { json, role, disabled }: Options): Promise<void> {
  await withDatabase(async (db) => {
    const where = { ...role !== undefined && { role }, ...disabled && { disabledAt: { not: null } } }
    const users = await db.user.findMany({
      where, select: { id: true, ...columnsOf(listed) }, orderBy: { id: 'asc' }
    })
    print(json, users.map(({ id, ...user }) => ({ userId: id, ...user })), () => users.length === 0
      ? 'No user.\n'
      : table(['id', ...listed.map(({ heading }) => heading)], users.map(user =>
        [user.id, ...listed.map(({ column }) => cellOf(user[column]))])))
  })
}

const cellOf = (value: string | Date | null): string =>
  value instanceof Date ? value.toISOString().slice(0, 10) : value ?? '-'

import { columnsOf, listed } from '../../auth/user-fields.js'
import type { CommonFlags } from '../options.js'
import { print, table } from '../output.js'
import { withDatabase } from './with-database.js'

interface Options extends CommonFlags {
  role?: string
  disabled?: boolean
  search?: string
  limit?: number
  after?: number
}

export async function list (options: Options): Promise<void> {
  const { json, role, disabled, search, limit, after } = options
  // Prisma passes on the wildcards of LIKE.
  const found = { contains: search?.replace(/[\\%_]/g, '\\$&') ?? '', mode: 'insensitive' as const }
  await withDatabase(async (db) => {
    const users = await db.user.findMany({
      where: {
        AND: [
          role !== undefined && { role },
          disabled && { disabledAt: { not: null } },
          search !== undefined && { OR: [{ username: found }, { email: found }] },
          after !== undefined && { id: { gt: after } }
        ].filter(condition => !!condition)
      },
      select: { id: true, ...columnsOf(listed) },
      orderBy: { id: 'asc' },
      ...limit !== undefined && { take: limit }
    })
    print(json, users.map(({ id, ...user }) => ({ userId: id, ...user })), () => users.length === 0
      ? 'No user.\n'
      : table(['id', ...listed.map(({ heading }) => heading)], users.map(user =>
        [user.id, ...listed.map(({ column }) => cellOf(user[column]))])))
  })
}

const cellOf = (value: string | Date | null): string =>
  value instanceof Date ? value.toISOString().slice(0, 10) : value ?? '-'

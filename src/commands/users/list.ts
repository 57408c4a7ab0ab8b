import { columnsOf, listed } from '../../auth/user-fields.js'
import { usableCostOf } from '../../auth/passwords.js'
import { normalizeUsername } from '../../auth/username.js'
import type { Common } from '../options.js'
import { NotFound, print, table } from '../outcome.js'
import { withDatabase } from './with-database.js'

interface Options extends Common {
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
        ...role !== undefined && { role },
        ...disabled && { disabledAt: { not: null } },
        ...search !== undefined && { OR: [{ username: found }, { email: found }] },
        ...after !== undefined && { id: { gt: after } }
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

/** Everything that is known of one user, but no secret. */
export async function show ({ json }: Common, name: string): Promise<void> {
  const username = normalizeUsername(name)
  await withDatabase(async (db) => {
    const user = await db.user.findUnique({
      where: { username }, include: { _count: { select: { knownAddresses: true } } }
    })
    if (!user) throw new NotFound(`there is no user ${username}`)
    const shown = {
      userId: user.id,
      ...Object.fromEntries(listed.map(({ column }) => [column, user[column]])),
      adpStatus: user.adpStatus,
      book_chapter_approver_designation: user.bookChapterApproverDesignation,
      selfRegistered: user.selfRegistered,
      password: passwordText(user.passwordHash),
      passwordTemporary: user.passwordTemporary,
      tokensRevokedAt: user.tokensRevokedAt,
      knownAddresses: user._count.knownAddresses
    }
    print(json, shown, () => table(['field', 'value'], Object.entries(shown).map(([key, value]) =>
      [key, value instanceof Date ? value.toISOString() : String(value ?? '-')])))
  })
}

function passwordText (hash: string | null): string {
  if (hash === null) return 'none'
  const cost = usableCostOf(hash)
  return cost === undefined ? 'a damaged hash: set another' : `bcrypt, cost ${cost}`
}

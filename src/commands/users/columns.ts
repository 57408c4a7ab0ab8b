import type { User } from '../../../prisma/client.js'
import { nearest } from '../../base/nearest.js'
import { UsageError } from '../outcome.js'

/** What a column of a file can be. An export has them in this order, without the last. */
export const fields = [
  'userId', 'username', 'email', 'role', 'userType', 'adpStatus', 'book_chapter_approver_designation', 'disabled',
  'selfRegistered', 'passwordHash', 'passwordTemporary', 'password'
] as const
export type Field = typeof fields[number]

/** The columns of users that have other names than the fields. */
const columnNames: Partial<Record<Field, keyof User>> = {
  userId: 'id', book_chapter_approver_designation: 'bookChapterApproverDesignation'
}

/** What a user, or the account of a row, has in a field. */
export const valueIn = (account: object, field: Field): unknown =>
  (account as Record<string, unknown>)[columnNames[field] ?? field]

/** The fields of each column. @throws an error that says what is wrong with the columns */
export type FieldsOf = (columns: string[], isHeader: boolean) => Field[][]

export interface Columns {
  fieldsOf: FieldsOf
  /** The columns that were found and mean nothing here. */
  ignored: Set<string>
  /** The columns that --map names and that were not found. */
  unseen: Set<string>
}

/** `User Name`, `user_name` and `username` are one name. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const byName = new Map(fields.map(field => [plain(field), field]))

/**
 * @param maps `COLUMN=FIELD`, or several with commas. Such a column has no other meaning, even if it is called like a
 * field, and no other column has the meaning of this field. `COLUMN=` ignores a column
 * @throws {UsageError}
 */
export function createColumns (maps: readonly string[]): Columns {
  const mapped = new Map<string, Field[]>()
  for (const map of maps.flatMap(map => map.split(','))) {
    const [, column = '', name = ''] = /^(.+)=(.*)$/.exec(map) ?? []
    const field = byName.get(plain(name))
    if (column !== '' && name === '') {
      mapped.set(column.trim(), [])
      continue
    }
    if (field === undefined) {
      // A number is what the fewest files have.
      const meant = nearest(name, fields.filter(field => field !== 'userId'))
      throw new UsageError(`--map takes COLUMN=FIELD, and "${map}" names no field; did you mean ` +
        `"${column || 'COLUMN'}=${meant}"? Fields are ${fields.join(', ')}`)
    }
    mapped.set(column.trim(), [...mapped.get(column.trim()) ?? [], field])
  }
  const claimed = new Set([...mapped.values()].flat())
  const ignored = new Set<string>()
  const unseen = new Set(mapped.keys())

  function fieldsOf (columns: string[], isHeader: boolean): Field[][] {
    const found = columns.map((column) => {
      const own = byName.get(plain(column))
      return mapped.get(column) ?? (own === undefined || claimed.has(own) ? [] : [own])
    })
    for (const column of columns) unseen.delete(column)
    const all = found.flat()
    const twice = all.find((field, i) => all.indexOf(field) !== i)
    if (twice !== undefined) throw new Error(`has two columns for ${twice}: say which by --map COLUMN=${twice}`)
    const [missing] = unseen
    if (isHeader && missing !== undefined) throw new Error(`has no column ${missing}, which --map names`)
    if (isHeader && !all.includes('username')) {
      // It may be no header, but an account with its password, so only what is a name of ours is quoted.
      const email = columns[found.findIndex(own => own.includes('email'))]
      const hint = email === undefined ? '' : `, or if people log in with it, --map ${email}=username,${email}=email`
      throw new Error(`is the header, and has no column username: say which it is by --map COLUMN=username${hint}`)
    }
    columns.forEach((column, i) => { if (found[i]!.length === 0) ignored.add(column) })
    return found
  }

  return { fieldsOf, ignored, unseen }
}

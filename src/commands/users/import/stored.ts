import { Prisma, type User } from '../../../../prisma/client.js'
import { hasOrAwaitsLink } from '../../../mail/account-mails.js'
import { fieldTable, fields, type Field } from './fields.js'

/* The fields as columns of the table `users`. */

/** What an account has in each field. Most fields are called as Prisma calls them, and have the same type. */
export type Stored = Record<Field, unknown> & Pick<User, Field & keyof User> & { userId: number, disabled: boolean }

/** An account of the database. */
export interface Existing extends Stored {
  /** There is a link to set a password, or a mail with one waits. */
  hasLink: boolean
}

const stored = fields.flatMap((field) => {
  const { column, isTime } = fieldTable[field]
  return column === undefined ? [] : [{ field, column, isTime }]
})

/** All but the number, which may be the next one: `username, email, …` */
export const otherColumns = Prisma.raw(stored.map(({ column }) => column).filter(name => name !== 'id').join(', '))

/** `id AS "userId", username AS "username", …`: a SELECT of these gives what `Stored` has. */
export const storedFields = Prisma.raw(
  stored.map(({ field, column, isTime }) => `${column}${isTime ? ' IS NOT NULL' : ''} AS "${field}"`).join(', '))

/** `{ userType: 'STUDENT' }` becomes `{ user_type: 'STUDENT' }`, which PostgreSQL reads as a row of the table. */
export function columnsOf (account: Partial<Record<Field, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const { field, column, isTime } of stored) {
    const value = account[field]
    if (value !== undefined) row[column] = isTime ? (value ? 'now' : null) : value
  }
  return row
}

/** Prisma's own queries take ten times as long for many rows. */
export const existing = Prisma.sql`SELECT ${storedFields}, ${hasOrAwaitsLink} AS "hasLink" FROM users`

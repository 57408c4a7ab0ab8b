import type { User } from '../../../../prisma/client.js'
import { nearest } from '../../../base/nearest.js'
import { UsageError } from '../../output.js'

/** What a column of a file can be. */
export const fields = [
  'userId', 'username', 'email', 'role', 'userType', 'adpStatus', 'book_chapter_approver_designation', 'disabled',
  'selfRegistered', 'passwordHash', 'passwordTemporary', 'source', 'sourcedId', 'disabledBySource', 'signInIssuer',
  'signInSubject', 'password',
  // What others have in the place of `disabled`.
  'enabled', 'status'
] as const
export type Field = typeof fields[number]

/** The columns of users that have other names than the fields. */
const columnNames: Partial<Record<Field, keyof User>> = {
  userId: 'id', book_chapter_approver_designation: 'bookChapterApproverDesignation'
}

/** What a user, or the account of a row, has in a field. */
export const valueIn = (account: object, field: Field): unknown =>
  (account as Record<string, unknown>)[columnNames[field] ?? field]

/** `User Name`, `user_name` and `username` are one name. */
export const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const byName = new Map<string, Field>(fields.map(field => [plain(field), field]))

/** @returns the field that a column is called like, if there is one */
export const fieldCalled = (column: string): Field | undefined => byName.get(plain(column))

/** @returns the field of a name, in any spelling. @throws {UsageError} */
export function fieldNamed (name: string, whatFor: string, likely = (field: string): string => field): Field {
  const field = byName.get(plain(name))
  if (field !== undefined) return field
  // A number is what the fewest files have.
  const meant = nearest(name, fields.filter(field => field !== 'userId'))!
  throw new UsageError(`${whatFor} names no field; did you mean "${likely(meant)}"? Fields are ${fields.join(', ')}`)
}

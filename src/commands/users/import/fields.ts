import { nearest } from '../../../base/nearest.js'
import { UsageError } from '../../output.js'

/** The kinds of changes in the audit log, in the order in which those of one account are written. */
export const events = [
  'privilege_permissions_changed', 'user_disabled', 'authn_password_change', 'user_updated'
] as const

/** What a column of a file can be. */
interface Described {
  /** Its column in the table `users`. A field without one is read, and says something about others. */
  column?: string
  /** There it is the time since when it is so. */
  isTime?: boolean
  /** Exports have it: each one, or only if they are to have hashes, if there is a roster, or if somebody is linked. */
  exported?: 'always' | 'with hashes' | 'with rosters' | 'with links'
  /** The event of its change. An import does not change fields without one. */
  event?: typeof events[number]
}

/** In the order of exports, reports and events. */
const table = {
  userId: { column: 'id', exported: 'always' },
  username: { column: 'username', exported: 'always', event: 'user_updated' },
  email: { column: 'email', exported: 'always', event: 'user_updated' },
  role: { column: 'role', exported: 'always', event: 'privilege_permissions_changed' },
  userType: { column: 'user_type', exported: 'always', event: 'privilege_permissions_changed' },
  adpStatus: { column: 'adp_status', exported: 'always', event: 'user_updated' },
  book_chapter_approver_designation: {
    column: 'book_chapter_approver_designation', exported: 'always', event: 'user_updated'
  },
  disabled: { column: 'disabled_at', isTime: true, exported: 'always', event: 'user_disabled' },
  selfRegistered: { column: 'self_registered', exported: 'always' },
  // The event of a hash is that of its password.
  passwordHash: { column: 'password_hash', exported: 'with hashes' },
  password: { event: 'authn_password_change' },
  passwordTemporary: { column: 'password_temporary', exported: 'with hashes', event: 'authn_password_change' },
  source: { column: 'source', exported: 'with rosters', event: 'user_updated' },
  sourcedId: { column: 'sourced_id', exported: 'with rosters', event: 'user_updated' },
  disabledBySource: { column: 'disabled_by_source', exported: 'with rosters' },
  signInIssuer: { column: 'sign_in_issuer', exported: 'with links', event: 'user_updated' },
  signInSubject: { column: 'sign_in_subject', exported: 'with links', event: 'user_updated' },
  // What others have in the place of `disabled`.
  enabled: {},
  status: {}
} satisfies Record<string, Described>

export type Field = keyof typeof table
export const fieldTable: Record<Field, Described> = table
export const fields = Object.keys(table) as Field[]

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

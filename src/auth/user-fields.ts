import { Type, type Static, type TSchema } from 'typebox'
import type { User } from '../../prisma/client.js'

/** A column of users that is shown: by `gatehouse users show` each of them. */
interface UserField {
  column: keyof User
  /** Its name there, if that is another. */
  name?: string
  /** Its key in answers, its schema there, and an example. */
  key?: string
  schema?: TSchema
  example?: unknown
  /** Its heading in `gatehouse users list`. */
  heading?: string
}

const Nullable = Type.Union([Type.String(), Type.Null()])

/** Answers and the table have the fields in this order. The table begins with the id. */
export const userFields = [
  { column: 'username', key: 'userName', schema: Type.String(), example: 'asha', heading: 'username' },
  { column: 'userType', key: 'userType', schema: Type.String(), example: 'STUDENT', heading: 'type' },
  { column: 'id', name: 'userId', key: 'userId', schema: Type.Integer(), example: 7 },
  { column: 'role', key: 'role', schema: Type.String(), example: 'USER', heading: 'role' },
  { column: 'adpStatus', key: 'adpStatus', schema: Nullable, example: null },
  {
    column: 'bookChapterApproverDesignation',
    name: 'book_chapter_approver_designation',
    key: 'book_chapter_approver_designation',
    schema: Nullable,
    example: null
  },
  { column: 'email', heading: 'email' },
  { column: 'createdAt', heading: 'created' },
  { column: 'disabledAt', heading: 'disabled' },
  { column: 'selfRegistered' },
  { column: 'passwordTemporary' },
  { column: 'signInIssuer' },
  { column: 'signInSubject' },
  { column: 'tokensRevokedAt' }
] as const satisfies readonly UserField[]

type Field = typeof userFields[number]
type Answered = Extract<Field, { key: string }>
type Listed = Extract<Field, { heading: string }>

const answered = userFields.filter((field): field is Answered => 'key' in field)
export const listed = userFields.filter((field): field is Listed => 'heading' in field)

/** The columns of these fields, as Prisma selects them. */
export const columnsOf = <F extends Field>(fields: readonly F[]): Record<F['column'], true> =>
  Object.fromEntries(fields.map(({ column }) => [column, true as const])) as Record<F['column'], true>

export const answeredColumns = columnsOf(answered)

/** The user data that clients get. Every key is always present, and null is never left out. */
export const BasicData = Type.Object(
  Object.fromEntries(answered.map(({ key, schema }) => [key, schema])) as { [F in Answered as F['key']]: F['schema'] }
)

type Shown = Static<typeof BasicData>

export const basicData = (user: Pick<User, Answered['column']>): Shown =>
  Object.fromEntries(answered.map(({ key, column }) => [key, user[column]])) as unknown as Shown

export const exampleUser = Object.fromEntries(answered.map(({ key, example }) => [key, example])) as unknown as Shown

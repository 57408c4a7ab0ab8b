import { Type, type Static, type TProperties, type TObject } from 'typebox'
import { serviceUnavailable } from '../errors.js'
import type { User } from '../generated/prisma/client.js'

/** What the clients know of a user. Every key is always there; null is never left out. */
export const BasicData = Type.Object({
  userName: Type.String(),
  userType: Type.String(),
  userId: Type.Integer(),
  role: Type.String(),
  adpStatus: Type.Union([Type.String(), Type.Null()]),
  book_chapter_approver_designation: Type.Union([Type.String(), Type.Null()])
})

export function basicData (user: User): Static<typeof BasicData> {
  return {
    userName: user.username,
    userType: user.userType,
    userId: user.id,
    role: user.role,
    adpStatus: user.adpStatus,
    book_chapter_approver_designation: user.bookChapterApproverDesignation
  }
}

/** The shape of a 200. */
export function success<T extends TProperties> (data: TObject<T>) {
  return Type.Object({ success: Type.Literal(true), status: Type.Literal(200), data })
}

/** The result of a query; a database that does not answer is a 503 for the client and a line in the log for us. */
export async function found<T> (query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (cause) {
    throw serviceUnavailable(2, cause)
  }
}

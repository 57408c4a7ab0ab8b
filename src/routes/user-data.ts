import { Type, type Static } from 'typebox'
import { EMAIL, EMAIL_RULE, MAX_EMAIL_LENGTH } from '../auth/rules.js'
import type { User } from '../generated/prisma/client.js'

// PostgreSQL cannot store NUL, and half of a surrogate pair is not a character. So names and passwords cannot contain
// them.
export const text = { pattern: '^[^\\u0000\\ud800-\\udfff]*$' }

export const Email = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL, description: EMAIL_RULE })

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, ...text })

/** The user data that clients get. Every key is always present, and null is never left out. */
export const BasicData = Type.Object({
  userName: Type.String(),
  userType: Type.String(),
  userId: Type.Integer(),
  role: Type.String(),
  adpStatus: Type.Union([Type.String(), Type.Null()]),
  book_chapter_approver_designation: Type.Union([Type.String(), Type.Null()])
})

type Basics = Pick<User, 'id' | 'username' | 'userType' | 'role' | 'adpStatus' | 'bookChapterApproverDesignation'>

export function basicData (user: Basics): Static<typeof BasicData> {
  return {
    userName: user.username,
    userType: user.userType,
    userId: user.id,
    role: user.role,
    adpStatus: user.adpStatus,
    book_chapter_approver_designation: user.bookChapterApproverDesignation
  }
}

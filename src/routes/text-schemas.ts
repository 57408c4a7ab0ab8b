import { Type } from 'typebox'
import { EMAIL, EMAIL_RULE, MAX_EMAIL_LENGTH } from '../mail/addresses.js'

// PostgreSQL cannot store NUL, and half of a surrogate pair is not a character. So names and passwords cannot contain
// them.
export const text = { pattern: '^[^\\u0000\\ud800-\\udfff]*$' }

export const Email = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL, description: EMAIL_RULE })

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255, ...text })

/** What names, addresses and roles look like: patterns for schemas, and the words for what does not match. */

export const LOWEST_ROLE = 'USER'
export const ADMIN_ROLE = 'ADMIN'
export const DEFAULT_USER_TYPE = 'STUDENT'

/**
 * What letters a new username may have: none that look like another, and nothing with a meaning in an address, a path
 * or a key. Old accounts may have others.
 */
export const USERNAME = '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}[A-Za-z0-9]$'
export const USERNAME_RULE = 'must have 3 to 64 letters from a to z, digits, dots, hyphens and underscores, and ' +
  'begin and end with a letter or digit'

/** An address as HTML's forms take it, with a dot in its domain. Every repetition is bounded, so no text takes long. */
export const EMAIL =
  '^[A-Za-z0-9.!#$%&\'*+/=?^_`{|}~-]{1,64}@' +
  '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?){1,8}$'
export const EMAIL_RULE = 'must be an address such as asha@school.example'
export const MAX_EMAIL_LENGTH = 254

/** Whether a text is one address and no list of them, which mail software would also read. */
export function isEmail (text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && new RegExp(EMAIL).test(text)
}

/** A role or a user type. */
export const CODE = '^[A-Z][A-Z0-9_]{0,63}$'
export const CODE_RULE = 'must have capital letters, digits and underscores only, such as TEACHER'

/** The forms of names and roles: patterns for schemas, and the messages for values that do not match. */

export const LOWEST_ROLE = 'USER'
export const ADMIN_ROLE = 'ADMIN'
export const DEFAULT_USER_TYPE = 'STUDENT'

/**
 * A new username: the letters, digits and signs that schools use, such as those of mail addresses and of 2023/0145. No
 * character looks like another. Old accounts may have other names.
 */
export const USERNAME = '^(?=.{3,64}$)[A-Za-z0-9]+(?:[._/@+-][A-Za-z0-9]+)*$'
/** Names that an account may have had before that. */
export const EARLIER_USERNAME = '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}[A-Za-z0-9]$'
export const USERNAME_RULE = 'must have 3 to 64 letters from a to z, digits and the signs . _ - / @ +, begin and end ' +
  'with a letter or digit, and have no two signs in a row'

/** A role or a user type. */
export const ROLE_OR_TYPE = '^[A-Z][A-Z0-9_]{0,63}$'
export const ROLE_OR_TYPE_RULE = 'must have capital letters, digits and underscores only, such as TEACHER'

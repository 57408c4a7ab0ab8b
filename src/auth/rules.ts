/** The forms of names, addresses and roles: patterns for schemas, and the messages for values that do not match. */

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

/**
 * An address that HTML forms accept, with a dot in its domain. Every repetition is bounded, so matching is always fast.
 */
export const EMAIL =
  '^[A-Za-z0-9.!#$%&\'*+/=?^_`{|}~-]{1,64}@' +
  '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?){1,8}$'
export const EMAIL_RULE = 'must be an address such as asha@school.example'
export const MAX_EMAIL_LENGTH = 254

/** Whether a text is exactly one address. Mail software would also accept a list of addresses. */
export function isEmail (text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && new RegExp(EMAIL).test(text)
}

/** @returns the parts of `address` or `name <address>`, whose name may be in quotes; undefined for another form */
export function parseSender (text: string): { name: string, address: string } | undefined {
  const [, name = '', address = text] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? []
  if (!isEmail(address)) return undefined
  const [, quoted] = /^"(.*)"$/.exec(name.trim()) ?? []
  return { name: quoted?.replace(/\\(.)/g, '$1') ?? name.trim(), address }
}

/** A role or a user type. */
export const CODE = '^[A-Z][A-Z0-9_]{0,63}$'
export const CODE_RULE = 'must have capital letters, digits and underscores only, such as TEACHER'

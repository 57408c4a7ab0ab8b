/* The form of an address: a pattern for schemas, and the message for a text that does not match. */

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

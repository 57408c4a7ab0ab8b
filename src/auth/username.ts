import { createHash } from 'node:crypto'

/**
 * The canonical form of a username that is stored and looked up: NFKC, which turns full-width and composed letters into
 * those of a keyboard, and then lower case. `Asha`, `ASHA` and `ａｓｈａ` are one account. Keyboards of phones add a
 * space to a name that they suggest, and no username begins or ends with one.
 */
export function normalizeUsername (username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}

/**
 * An email address is stored and looked up in lower case, because hardly any mail server distinguishes `Asha@x.io` from
 * `asha@x.io`.
 */
export function normalizeEmail (email: string): string {
  return email.toLowerCase()
}

/**
 * The owner of an account's bucket, even if there is no such account. It is a hash, because client-supplied text must
 * not get into a key.
 */
export function accountKey (username: string): string {
  return createHash('sha256').update(normalizeUsername(username)).digest('hex').slice(0, 32)
}

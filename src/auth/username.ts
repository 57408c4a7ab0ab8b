import { createHash } from 'node:crypto'

/**
 * The one form of a username that is stored and looked up: NFKC, so that full-width and composed letters are the ones
 * a keyboard types, then lower case. `Asha`, `ASHA` and `ａｓｈａ` are one account.
 */
export function normalizeUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase()
}

/** An address is looked up and stored in lower case: hardly any server tells `Asha@x.io` from `asha@x.io`. */
export function normalizeEmail (email: string): string {
  return email.toLowerCase()
}

/**
 * The name of an account's bucket, whether there is such an account or not: a hash, because what a client wrote never
 * gets into a key.
 */
export function accountKey (username: string): string {
  return createHash('sha256').update(normalizeUsername(username)).digest('hex').slice(0, 32)
}

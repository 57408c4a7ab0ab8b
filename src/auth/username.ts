/**
 * The one form of a username that is stored and looked up: NFKC, so that full-width and composed letters are the ones
 * a keyboard types, then lower case. `Asha`, `ASHA` and `ａｓｈａ` are one account.
 */
export function normalizeUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase()
}

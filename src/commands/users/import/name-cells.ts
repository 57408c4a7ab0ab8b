import { EARLIER_USERNAME, USERNAME, USERNAME_RULE } from '../../../auth/rules.js'
import { normalizeEmail, normalizeUsername } from '../../../auth/username.js'
import { EMAIL_RULE, isEmail } from '../../../mail/addresses.js'
import type { Cells } from './cells.js'

/** Of a row below the last one. */
const FOOTER = /^(grand ?)?(total|sum|summe|count|gesamt|anzahl|records?|rows?)\W*[\d.,]*$/i

export const isNewUsername = (name: string): boolean => new RegExp(USERNAME).test(name)

/** @returns an empty name if it is wrong */
export function usernameIn (cells: Cells, isKnown: boolean): string {
  const username = cells.text('username') ?? ''
  if (username === '' && isKnown) return ''
  const isUsername = isNewUsername(username) || new RegExp(EARLIER_USERNAME).test(username)
  const sign = oddSign(username, /[^A-Za-z\d._/@+-]/u)
  cells.must(isUsername, 'username', `${username && `${username} `}${sign}${USERNAME_RULE}`)
  cells.must(!/^\d(\.\d+)?E\+\d+$/i.test(username), 'username', 'is a long number that a spreadsheet has rounded')
  const others = Object.entries(cells.row.values).filter(([field, cell]) => field !== 'username' && cell !== '')
  cells.must(!FOOTER.test(username) || others.some(([, cell]) => !/^[\d.,]+$/.test(cell)), 'username',
    `${username} seems to be that of a sum below the table: delete the line`)
  return isUsername ? normalizeUsername(username) : ''
}

export function emailIn (cells: Cells): { email?: string } {
  const email = cells.text('email')
  if (email === undefined) return {}
  if (isEmail(email)) return { email: normalizeEmail(email) }
  cells.must(false, 'email', `${email} ${oddSign(email, /[^\w.!#$%&'*+/=?^`{|}~@-]/u)}${EMAIL_RULE}`)
  return {}
}

/** Names a character that is not allowed, by its number if it cannot be seen. */
function oddSign (text: string, odd: RegExp): string {
  const [sign] = odd.exec(text) ?? []
  if (sign === undefined) return ''
  const isSeen = /[\p{L}\p{N}\p{P}\p{S}]/u.test(sign)
  return `has ${isSeen ? sign : `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`}, and `
}

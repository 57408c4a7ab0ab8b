import { passwordFault } from '../../auth/password-policy.js'
import { asForeign, usableCostOf } from '../../auth/passwords.js'
import * as rules from '../../auth/rules.js'
import { normalizeEmail, normalizeUsername } from '../../auth/username.js'
import type { Config } from '../../config/config.js'
import { EMAIL_RULE, isEmail } from '../../mail/addresses.js'
import type { Field } from './columns.js'
import type { Row } from './csv-rows.js'

const MAX_TEXT = 255
/** The sequence of numbers is moved beyond those of a file, which takes seconds for so many. */
const MAX_USER_ID = 10_000_000
/** A failed login takes as long as the costliest hash, so one hash would slow down all of them. */
const MAX_COSTLIER = 2
/** As crypt, LDAP, Django, MySQL, and MD5 to SHA-512 are written. */
const HASHES = [
  /^\{[\w-]+\}/, /^\$[\w-]+\$/, /^(pbkdf2_\w+|argon2|bcrypt\w*|scrypt|md5|sha1)\$/, /^\*[\dA-F]{40}$/i,
  /^([\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i
]
const COSTS = '$2a$, $2b$, $2y$ or {bcrypt}'

/**
 * A spreadsheet runs a cell that begins like a formula, even one that a user chose. So exports put an apostrophe in
 * front, which spreadsheets and imports take away.
 */
export const withGuard = (text: string): string => text.replace(/^'*[=+\-@\t\r]/, "'$&")
const withoutGuard = (text: string): string => text.replace(/^'('*[=+\-@\t\r])/, '$1')

export const isNewUsername = (name: string): boolean => new RegExp(rules.USERNAME).test(name)

/** A row that has no fault by itself. What is undefined is not said; null is nothing. */
export interface Imported {
  line: number
  /** The number that the account had in the database of the export. */
  userId?: number
  username: string
  email?: string | null
  role?: string
  userType?: string
  adpStatus?: string
  bookChapterApproverDesignation?: string
  disabled?: boolean
  selfRegistered?: boolean
  passwordHash?: string | null
  password?: string
  passwordTemporary?: boolean
}

/** @returns the account of a row, without a wrong name or address, and everything that is wrong with it */
export function imported (
  { line, values, fault }: Row, { bcryptCost }: Pick<Config, 'bcryptCost'>, keepPasswords = false
): { account: Imported, faults: string[] } {
  const faults: string[] = fault === undefined ? [] : [fault]
  const account: Imported = { line, username: '' }
  if (fault !== undefined) return { account, faults }
  const must = (holds: boolean, field: Field, rule: string): void => {
    if (!holds) faults.push(`${field} ${rule}`)
  }
  const given = (field: Field): string | undefined => withoutGuard(values[field] ?? '') || undefined

  const userId = given('userId')
  if (userId !== undefined) {
    const isNumber = /^[1-9]\d{0,7}$/.test(userId) && Number(userId) <= MAX_USER_ID
    must(isNumber, 'userId', `must be a number from 1 to ${MAX_USER_ID}; --map COLUMN= ignores a column`)
    if (isNumber) account.userId = Number(userId)
  }
  const username = given('username') ?? ''
  const isUsername = isNewUsername(username) || new RegExp(rules.EARLIER_USERNAME).test(username)
  must(isUsername, 'username', rules.USERNAME_RULE)
  must(!/^\d(\.\d+)?E\+\d+$/i.test(username), 'username', 'is a long number that a spreadsheet has rounded')
  if (isUsername) account.username = normalizeUsername(username)
  const email = given('email')
  if (email !== undefined) {
    if (isEmail(email)) account.email = normalizeEmail(email)
    else faults.push(`email ${EMAIL_RULE}`)
  }
  for (const field of ['role', 'userType'] as const) {
    const code = given(field)
    if (code === undefined) continue
    must(new RegExp(rules.CODE).test(code), field, rules.CODE_RULE)
    account[field] = code
  }
  for (const field of ['adpStatus', 'book_chapter_approver_designation'] as const) {
    const text = given(field)
    if (text === undefined) continue
    must([...text].length <= MAX_TEXT, field, `must have at most ${MAX_TEXT} characters`)
    must(text.isWellFormed() && !text.includes('\0'), field, 'has characters that are not allowed here')
    account[field === 'adpStatus' ? field : 'bookChapterApproverDesignation'] = text
  }
  for (const field of ['disabled', 'selfRegistered', 'passwordTemporary'] as const) {
    const answer = given(field)
    if (answer === undefined) continue
    must(/^(true|false|yes|no|1|0)$/i.test(answer), field, 'must be true or false')
    account[field] = /^(true|yes|1)$/i.test(answer)
  }
  readPassword()
  return { account, faults }

  function readPassword (): void {
    const [hash, password] = [given('passwordHash'), values.password || undefined]
    if (hash !== undefined && password !== undefined) {
      faults.push('has both a password and a passwordHash')
    } else if (hash !== undefined) {
      readHash('passwordHash', hash)
    } else if (password !== undefined && HASHES.some(form => form.test(password))) {
      // Other systems call the column of their hashes so.
      readHash('password', password)
    } else if (password !== undefined) {
      const fault = passwordFault(password, account.username)
      if (fault !== undefined) must(false, 'password', fault)
      account.password = password
      account.passwordTemporary ??= !keepPasswords
    }
  }

  function readHash (field: Field, hash: string): void {
    const cost = usableCostOf(hash)
    if (cost === undefined) {
      must(false, field, `is a hash, but not bcrypt's (${COSTS}), or is damaged: leave it empty to import without one`)
    } else {
      must(cost <= bcryptCost + MAX_COSTLIER, field,
        `has cost ${cost}, far above BCRYPT_COST (${bcryptCost}): every failed login would take as long`)
    }
    account.passwordHash = asForeign(hash)
  }
}

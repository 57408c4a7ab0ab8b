import { passwordFault } from '../../../auth/password-policy.js'
import { asForeign, unwrapped, usableCostOf } from '../../../auth/passwords.js'
import * as rules from '../../../auth/rules.js'
import { normalizeEmail, normalizeUsername } from '../../../auth/username.js'
import type { Config } from '../../../config/config.js'
import { EMAIL_RULE, isEmail } from '../../../mail/addresses.js'
import { isSubject } from '../../../sign-in/claims.js'
import type { Field } from './fields.js'
import type { Row } from './rows.js'
import type { Values } from './values.js'

const MAX_TEXT = 255
/** The sequence of numbers is moved beyond those of a file, which takes seconds for so many. */
const MAX_USER_ID = 10_000_000
/** A failed login takes as long as the costliest hash, so one hash would slow down all of them. */
const MAX_COSTLIER = 2
const HASHES = [
  // LDAP, Dovecot and Spring; crypt, also of a locked account; Drupal, Nextcloud.
  /^\{[\w.-]+\}/, /^!*\$[\w-]+\$/, /^(U|\d\|)\$/,
  // Django, and its mark of no password; Werkzeug, Passlib, Ansible.
  /^(pbkdf2\w*|argon2\w*|bcrypt\w*|scrypt|crypt|md5|unsalted_\w+|s?sha\d*)[$:]/i, /^![A-Za-z\d]{40}$/,
  // MySQL; PostgreSQL; digests in hexadecimal, perhaps with a salt behind it; SQL Server.
  /^\*[\dA-F]{40}$/i, /^(md5[\da-f]{32}$|SCRAM-SHA-)/i,
  /^(0x)?[\da-f]{32}([\da-f]{8}|[\da-f]{24}|[\da-f]{32})?([:$].*)?$/i,
  /^[\da-f]{96}([\da-f]{32})?([:$].*)?$/i, /^0x0[12]00[\da-f]{40,}$/i,
  // Digests in Base64: MD5, SHA-1, SHA-256, SHA-384, SHA-512. ASP.NET.
  /^([A-Za-z\d+/]{22}==|[A-Za-z\d+/]{27}=|[A-Za-z\d+/]{43}=|[A-Za-z\d+/]{64}|[A-Za-z\d+/]{86}==)$/,
  /^A[A-Z]AAAA[A-Za-z\d+/]{40,}={0,2}$/
]
const COSTS = '$2a$, $2b$, $2y$ or {bcrypt}'
/** Of a row below the last one. */
const FOOTER = /^(grand ?)?(total|sum|summe|count|gesamt|anzahl|records?|rows?)\W*[\d.,]*$/i
/** Who has these in `status` has left, or may not log in for now. */
const ENDED = /^(tobedeleted|inactive|suspended|archived|deleted)$/i

/**
 * A spreadsheet runs a cell that begins like a formula, even one that a user chose. So exports put an apostrophe in
 * front, which spreadsheets show and imports take away. It also stands behind semicolons, tabs and line ends within a
 * cell, because a spreadsheet may begin another cell there. A number or a date that a spreadsheet would write in its
 * own way has one, too.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?="*'*[=+\-@\t\r])/g
const GUARDED_FORMULA = /(?<=^|[;\t\r\n])'(?="*'*[=+\-@\t\r])/g
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'
const NUMBER = new RegExp('^(\'*)(0\\d+|\\d{16,}|[\\d,]*\\d[.,]\\d*|[.,]\\d+|\\d[\\d.]*e[+-]?\\d+|' +
  `\\d{1,4}[-/.]\\d{1,2}([-/.]\\d{1,4})?|\\d{1,4}[-/.]?${MONTH}|${MONTH}[-/.]?\\d{1,4})$`, 'i')

export const withGuard = (text: string): string =>
  NUMBER.test(text) ? `'${text}` : text.replace(FORMULA, '\'')
const withoutGuard = (text: string): string =>
  text.startsWith('\'') && NUMBER.test(text) ? text.slice(1) : text.replace(GUARDED_FORMULA, '')

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
  /** The roster that the row is from, and its id there. */
  source?: string
  sourcedId?: string
  disabledBySource?: boolean
  /** Who it is at an OpenID provider: both or none. */
  signInIssuer?: string
  signInSubject?: string
  /** The username of a row with faults, whatever it is. */
  named?: string
  /** Of a row with too many or too few cells: any of them may be the id or the username. */
  cells?: string[]
  /** Its status is that of someone who has left: no account is made for them. */
  hasLeft?: boolean
  /** Their name, which another row has, too. */
  formerName?: string
}

interface Reading {
  config: Pick<Config, 'bcryptCost'>
  values: Values
  /** Of every row. Without it, the row may name one. */
  source?: string | undefined
  keepPasswords?: boolean | undefined
}

/** @returns the account of a row, without a wrong name or address, and everything that is wrong with it */
export function imported (
  row: Row, { config: { bcryptCost }, values, source, keepPasswords = false }: Reading
): { account: Imported, faults: string[] } {
  const { line, fault, format } = row
  const faults: string[] = fault === undefined ? [] : [fault]
  const account: Imported = { line, username: '' }
  if (fault !== undefined) {
    rememberWho()
    return { account, faults }
  }
  const must = (holds: boolean, field: Field, rule: string): void => {
    if (!holds) faults.push(`${field} ${rule}`)
  }
  const given = (field: Field): string | undefined => withoutGuard(values.of(row, field)) || undefined

  const userId = given('userId')
  if (userId !== undefined) {
    const isNumber = /^[1-9]\d{0,7}$/.test(userId) && Number(userId) <= MAX_USER_ID
    must(isNumber, 'userId', `must be a number from 1 to ${MAX_USER_ID}; --map COLUMN= ignores a column`)
    if (isNumber) account.userId = Number(userId)
  }
  readAccess()
  // A roster that says who has left may say nothing else of them.
  const isKnown = account.hasLeft === true && values.of(row, 'sourcedId') !== '' && source !== undefined
  readUsername()
  const email = given('email')
  if (email !== undefined) {
    if (isEmail(email)) account.email = normalizeEmail(email)
    else faults.push(`email ${email} ${oddSign(email, /[^\w.!#$%&'*+/=?^`{|}~@-]/u)}${EMAIL_RULE}`)
  }
  for (const field of ['role', 'userType'] as const) {
    const code = given(field)?.toUpperCase()
    if (code === undefined) continue
    must(new RegExp(rules.CODE).test(code), field, `${rules.CODE_RULE}; --value ${field}:FROM=TO translates others`)
    account[field] = code
  }
  must(!format.needsRole || isKnown || account.role !== undefined, 'role',
    'is empty: --value role:=ROLE says what it is then')
  for (const field of ['adpStatus', 'book_chapter_approver_designation'] as const) {
    const text = given(field)
    if (text === undefined) continue
    must([...text].length <= MAX_TEXT, field, `must have at most ${MAX_TEXT} characters`)
    must(text.isWellFormed() && !text.includes('\0'), field, 'has characters that are not allowed here')
    account[field === 'adpStatus' ? field : 'bookChapterApproverDesignation'] = text
  }
  for (const field of ['selfRegistered', 'passwordTemporary', 'disabledBySource'] as const) {
    const answer = answerIn(field)
    if (answer !== undefined) account[field] = answer
  }
  readSignIn()
  readPassword()
  rememberWho()
  return { account, faults: faults.map(withName) }

  function readUsername (): void {
    const username = given('username') ?? ''
    if (username === '' && isKnown) return
    const isUsername = isNewUsername(username) || new RegExp(rules.EARLIER_USERNAME).test(username)
    const sign = oddSign(username, /[^A-Za-z\d._/@+-]/u)
    must(isUsername, 'username', `${username && `${username} `}${sign}${rules.USERNAME_RULE}`)
    must(!/^\d(\.\d+)?E\+\d+$/i.test(username), 'username', 'is a long number that a spreadsheet has rounded')
    const others = Object.entries(row.values).filter(([field, cell]) => field !== 'username' && cell !== '')
    must(!FOOTER.test(username) || others.some(([, cell]) => !/^[\d.,]+$/.test(cell)), 'username',
      `${username} seems to be that of a sum below the table: delete the line`)
    if (isUsername) account.username = normalizeUsername(username)
  }

  function answerIn (field: Field): boolean | undefined {
    const answer = given(field)
    if (answer === undefined) return undefined
    must(/^(true|false|yes|no|1|0)$/i.test(answer), field, 'must be true or false')
    return /^(true|yes|1)$/i.test(answer)
  }

  /** Files say it in three ways, and one of them is enough to end the access. */
  function readAccess (): void {
    const [disabled, enabled, status] = [answerIn('disabled'), answerIn('enabled'), given('status')]
    const hasEnded = status === undefined ? undefined : ENDED.test(status)
    must(status === undefined || hasEnded === true || /^active$/i.test(status), 'status',
      'must be active, inactive or tobedeleted; --value status:FROM=TO translates others')
    const said = [disabled, enabled === undefined ? undefined : !enabled, hasEnded].filter(one => one !== undefined)
    if (said.length > 0) account.disabled = said.includes(true)
    if (hasEnded) account.hasLeft = true
  }

  function readSignIn (): void {
    const [issuer, subject] = [given('signInIssuer'), given('signInSubject')]
    if (issuer === undefined && subject === undefined) return
    must(issuer !== undefined && URL.canParse(issuer), 'signInIssuer', 'must be the issuer of signInSubject, a URL')
    must(subject !== undefined && isSubject(subject), 'signInSubject', 'must be the claim sub of somebody there')
    Object.assign(account, { signInIssuer: issuer, signInSubject: subject })
  }

  function readPassword (): void {
    const [hash, password] = [given('passwordHash'), values.of(row, 'password') || undefined]
    if (hash !== undefined && password !== undefined) {
      faults.push('has both a password and a passwordHash')
    } else if (hash !== undefined) {
      readHash('passwordHash', unwrapped(hash))
    } else if (password !== undefined && HASHES.some(form => form.test(password))) {
      // Other systems call the column of their hashes so.
      readHash('password', unwrapped(password))
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

  /** Also of a row with a fault: whoever it names is not missing. */
  function rememberWho (): void {
    // Another export may put other cells in quotes, which keep spaces.
    const id = withoutGuard(values.of(row, 'sourcedId')).trim()
    const named = source ?? (withoutGuard(values.of(row, 'source')) || undefined)
    if (id !== '' && named !== undefined) Object.assign(account, { source: named, sourcedId: id })
    if (faults.length > 0) account.named = row.values.username ?? ''
    if (row.cells !== undefined) account.cells = row.cells.map(cell => withoutGuard(cell).trim())
    if (fault !== undefined) return
    if (source !== undefined) must(id !== '', 'sourcedId', 'is empty, and with --source each row needs one')
    must(id.length <= MAX_TEXT && !/\p{C}/u.test(id), 'sourcedId', `must have at most ${MAX_TEXT} visible characters`)
  }

  function withName (fault: string): string {
    return /^(username|email|userId) /.test(fault) || account.username === '' ? fault : `${fault} (${account.username})`
  }
}

/** Names a character that is not allowed, by its number if it cannot be seen. */
function oddSign (text: string, odd: RegExp): string {
  const [sign] = odd.exec(text) ?? []
  if (sign === undefined) return ''
  const isSeen = /[\p{L}\p{N}\p{P}\p{S}]/u.test(sign)
  return `has ${isSeen ? sign : `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`}, and `
}

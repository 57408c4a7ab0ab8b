import { dictionary } from '@zxcvbn-ts/language-common'
import { MAX_PASSWORD_BYTES } from './passwords.js'
import { normalizeUsername } from './username.js'

const MIN_CHARACTERS = 8

/** The most common passwords of leaks, in lower case, and obvious ones for this service. */
const common = new Set([
  ...dictionary['passwords-common'],
  'gatehouse', 'gatehouse-demo', 'gatehouse-admin', 'erp', 'school', 'schoolerp', 'student', 'teacher', 'employee',
  'academic', 'hostel', 'inventory'
])
/** A name that is shorter than this, without the digits and signs at its ends, is only compared as a whole. */
const MIN_NAME = 4

/** What is expected of a password, by the reason for which one is weak. Pages have a text for each reason. */
export const expectations = {
  characters: 'has characters that are not allowed here',
  short: `must have at least ${MIN_CHARACTERS} characters`,
  long: `must have at most ${MAX_PASSWORD_BYTES} bytes in UTF-8`,
  name: 'must not be the username',
  // The operation that changes a password checks this one.
  same: 'must not be the current one',
  common: 'is among the first that would be guessed: use several words, or more characters'
} as const

/**
 * The rules of NIST SP 800-63B and OWASP ASVS 5.0 (6.2): a minimum length, and no password that is easy to guess. There
 * are no rules of composition. A guessable word is still guessable with digits and signs around it.
 *
 * @returns what is expected; undefined for an acceptable password
 */
export function passwordFault (password: string, username: string): string | undefined {
  const reason = weaknessOf(password, username)
  return reason && expectations[reason]
}

function weaknessOf (password: string, username: string): keyof typeof expectations | undefined {
  const composed = password.normalize('NFC')
  if (!composed.isWellFormed() || composed.includes('\0')) return 'characters'
  if ([...composed].length < MIN_CHARACTERS) return 'short'
  if (Buffer.byteLength(composed) > MAX_PASSWORD_BYTES) return 'long'
  const typed = normalizeUsername(password)
  const name = normalizeUsername(username)
  if (typed === name || (bare(name).length >= MIN_NAME && bare(typed) === bare(name))) return 'name'
  if (common.has(typed) || common.has(bare(typed)) || new Set(typed).size < 3) return 'common'
  return undefined
}

/** Removes the digits and signs at both ends. */
function bare (text: string): string {
  return text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')
}

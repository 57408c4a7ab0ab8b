import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'

/* Codes that prove who has the phone: those of an authenticator, by RFC 6238, and recovery codes. */

export const STEP_SECONDS = 30
/** How many steps a code may be from now: phones are a little late, and people type slowly. */
const WINDOW = 1
const RECOVERY_CODES = 10
/** As many bytes as SHA-1 has: RFC 4226 recommends it. */
const SECRET_BYTES = 20

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Douglas Crockford's letters: none is like a digit. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 bits. */
const RECOVERY_LENGTH = 16

/** What somebody typed. A recovery code is its SHA-256, in hexadecimal; `neither` is wrong. */
export type Typed = { digits: string } | { recovery: string } | 'neither'

/**
 * Reads a code as people type it: with spaces, dashes, digits of any script, small letters, and letters that look like
 * digits.
 *
 * @returns undefined if nothing was typed
 */
export function readCode (text: string): Typed | undefined {
  const code = text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '').replace(/\p{Nd}/gu, valueOf)
  if (code === '') return undefined
  if (/^\d{6}$/.test(code)) return { digits: code }
  const letters = code.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  const isRecovery = letters.length === RECOVERY_LENGTH && [...letters].every(letter => CROCKFORD.includes(letter))
  return isRecovery ? { recovery: recoveryHash(letters) } : 'neither'
}

/** Unicode has the ten digits of each script in a row. */
function valueOf (digit: string): string {
  const point = digit.codePointAt(0)!
  let zero = point
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

export const stepAt = (seconds: number): number => Math.floor(seconds / STEP_SECONDS)

/**
 * @param reach how many steps before and after now are looked at
 * @returns the step of the code that is nearest to now; undefined if there is none
 */
export function stepOf (digits: string, secret: Buffer, now: number, reach: number): number | undefined {
  for (let distance = 0; distance <= reach; distance++) {
    for (const step of new Set([now - distance, now + distance])) {
      if (codeAt(secret, step) === digits) return step
    }
  }
  return undefined
}

export const isInWindow = (step: number, now: number): boolean => Math.abs(step - now) <= WINDOW

/** RFC 4226, section 5.3, with six digits. */
function codeAt (secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The form of RFC 4648 that authenticators read: 32 capital letters, without padding. */
export function base32 (secret: Buffer): string {
  const bits = [...secret].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.match(/.{5}/g)!.map(five => BASE32[parseInt(five, 2)]!).join('')
}

/** In groups of four. */
export const inGroups = (text: string): string => text.match(/.{1,4}/g)!.join(' ')

const newRecoveryCode = (): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => CROCKFORD[randomInt(CROCKFORD.length)]!).join('')

export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode)

/** It needs no salt, because nobody can guess 80 bits. */
export const recoveryHash = (code: string): string => createHash('sha256').update(code).digest('hex')

/**
 * For each type of message, whether its body is well-formed, so that pg can neither throw nor loop on it.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export const FORMATS: Record<string, (body: Buffer) => boolean> = {
  1: isEmpty,
  2: isEmpty,
  3: isEmpty,
  n: isEmpty,
  I: isEmpty,
  Z: body => /^[ITE]$/.test(body.toString('latin1')),
  C: body => hasStrings(body, 1),
  S: body => hasStrings(body, 2),
  A: body => hasStrings(body.subarray(4), 2),
  K: body => body.length >= 8,
  R: isAuthentication,
  E: isError,
  N: hasFields,
  T: hasColumns,
  D: hasCells
}

/** The steps of an authentication that pg knows. */
export const AUTHENTICATION = { OK: 0, CLEARTEXT: 3, MD5: 5, SASL: 10, SASL_CONTINUE: 11, SASL_FINAL: 12 } as const

function isEmpty (body: Buffer): boolean {
  return body.length === 0
}

/** Only strings that each end with a zero byte. */
function hasStrings (body: Buffer, count: number): boolean {
  let at = 0
  for (let i = 0; i < count; i++) {
    const end = body.indexOf(0, at)
    if (end === -1) return false
    at = end + 1
  }
  return at === body.length
}

/** A list that ends with a zero byte. Its items are names, or fields with a type and a string. */
function hasFields (body: Buffer): boolean {
  let at = 0
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1)
    if (end === -1) return false
    at = end + 1
  }
  return at === body.length - 1
}

/** Severity, code and message are required. Without the SQLSTATE, an outage could not be distinguished from a bug. */
function isError (body: Buffer): boolean {
  if (!hasFields(body)) return false
  const fields = body.toString('latin1').split('\0')
  return [/^S./, /^C[0-9A-Z]{5}$/, /^M/s].every(field => fields.some(text => field.test(text)))
}

/** Pg itself refuses a method that it does not know. */
function isAuthentication (body: Buffer): boolean {
  if (body.length < 4) return false
  const { OK, CLEARTEXT, MD5, SASL } = AUTHENTICATION
  switch (body.readInt32BE(0)) {
    case OK:
    case CLEARTEXT: return body.length === 4
    case MD5: return body.length === 8
    case SASL: return hasFields(body.subarray(4))
    default: return true
  }
}

/** A column is a name and 18 bytes of numbers. */
function hasColumns (body: Buffer): boolean {
  if (body.length < 2) return false
  let at = 2
  for (let left = body.readInt16BE(0); left > 0; left--) {
    const end = body.indexOf(0, at)
    if (end === -1) return false
    at = end + 1 + 18
  }
  return at === body.length
}

/** A cell is its length and as many bytes; NULL has the length -1. */
function hasCells (body: Buffer): boolean {
  if (body.length < 2) return false
  let at = 2
  for (let left = body.readInt16BE(0); left > 0; left--) {
    if (at + 4 > body.length) return false
    const length = body.readInt32BE(at)
    if (length < -1) return false
    at += 4 + Math.max(0, length)
  }
  return at === body.length
}

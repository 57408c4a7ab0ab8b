// A private key is read from every usual form, and a key that is not safe is refused.

import type { JsonWebKey, KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { parsePrivateKeys } from '#src/auth/private-keys.js'
import { readConfig } from '#src/config/load.js'
import { newKeyPair } from '../fixtures/keys.js'

interface Pair { privateKey: KeyObject, publicKey: KeyObject }

const pairs = {
  EdDSA: newKeyPair('ed25519'),
  ES256: newKeyPair('ec', { namedCurve: 'P-256' }),
  RS256: newKeyPair('rsa', { modulusLength: 2048 })
}
const all = Object.entries(pairs)
const { EdDSA, ES256, RS256 } = pairs
const others = { ES256: newKeyPair('ec', { namedCurve: 'P-256' }), RS256: newKeyPair('rsa', { modulusLength: 2048 }) }

const pem = ({ privateKey }: Pair, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8'): string => privateKey.export({
  type, format: 'pem'
}).toString()
const publicPem = ({ publicKey }: Pair): string => publicKey.export({ type: 'spki', format: 'pem' }).toString()
const encrypted = ({ privateKey }: Pair, type: 'pkcs8' | 'pkcs1'): string =>
  privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a passphrase' }).toString()
const jwk = ({ privateKey }: Pair): JsonWebKey => privateKey.export({ format: 'jwk' })
const cut = (text: string): string => text.slice(0, text.length / 2)

function areRead (t: Test, text: string, expected: Pair[], what: string): void {
  const keys = parsePrivateKeys(text)
  t.strictSame(keys.map(jwkOf), expected.map(pair => jwkOf(pair.privateKey)), what)
}

const jwkOf = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' })

const RIGHT =
  new RegExp('whole private keys in PEM, a JWK or a JWK set|must be an unencrypted private key|not of one pair|' +
    'none of: Ed25519, P-256, RSA of at least 2048 bits|no keys in its JWK set')

/**
 * Checks that the parser refuses the text, and that the configuration does, too, and names the variable. Neither quotes
 * the text.
 */
function isRefused (t: Test, text: string, what: string, right = RIGHT): void {
  const pieces = (text.match(/[\w+/]{12,}/g) ?? []).map(piece => piece.slice(0, 12))
  const says = (error: unknown): string => inspect(error, { depth: 9, showHidden: true }).replace(/\n\s+at .*/g, '')
  try {
    const keys = parsePrivateKeys(text)
    t.fail(`${what}: was read as ${keys.length} keys`)
  } catch (error) {
    t.type(error, RangeError, what)
    t.match((error as Error).message, right, what)
    t.strictSame(pieces.filter(piece => says(error).includes(piece)), [], `${what}: nothing of the key`)
  }
  try {
    readConfig({ JWT_PRIVATE_KEY: text })
    t.equal(text, '', `${what}: the configuration takes it`)
  } catch (error) {
    t.match((error as Error).message, /^ {2}JWT_PRIVATE_KEY: (must be|has)/m, what)
    t.strictSame(
      pieces.filter(piece => says(error).includes(piece)),
      [],
      `${what}: nothing of the key in the configuration's message`
    )
  }
}

t.test('a private key is read from each form of PEM', async (t) => {
  for (const [name, pair] of all) areRead(t, pem(pair), [pair], `PKCS #8 ${name}`)
  areRead(t, pem(ES256, 'sec1'), [ES256], 'SEC 1')
  areRead(t, pem(RS256, 'pkcs1'), [RS256], 'PKCS #1')
  for (const [name, pair] of all) {
    areRead(t, pem(pair).replaceAll('\n', '\\n'), [pair], `${name}, newlines escaped, as a line of .env has them`)
    areRead(t, `"${pem(pair).replaceAll('\n', '\\n')}"`, [pair], `${name}, and quoted`)
    areRead(t, pem(pair).replaceAll('\n', '\r\n'), [pair], `${name}, lines ended as on Windows`)
    areRead(t, `\n\n  ${pem(pair).trimEnd()}`, [pair], `${name}, blanks around it`)
    areRead(t, `subject=erp\n${pem(pair)}made on a Monday`, [pair], `${name}, other text around it`)
  }
})

t.test('a private key is read from a JWK, an array of them, and a JWK set', async (t) => {
  for (const [name, pair] of all) {
    areRead(t, JSON.stringify(jwk(pair)), [pair], `a JWK, ${name}`)
    areRead(t, `\n ${JSON.stringify(jwk(pair), null, 2)}\n`, [pair], `written over several lines, ${name}`)
    areRead(t, JSON.stringify({ kid: 'mine', use: 'sig', ...jwk(pair) }), [pair], `with a name of its own, ${name}`)
  }
  const inOrder = [ES256, RS256, EdDSA]
  areRead(t, JSON.stringify(inOrder.map(jwk)), inOrder, 'an array')
  areRead(t, JSON.stringify({ keys: inOrder.map(jwk) }), inOrder, 'a set')
  areRead(t, JSON.stringify({ keys: inOrder.map(jwk), more: 'that is not ours' }), inOrder, 'a set with more in it')
})

t.test('keys keep their order, and make a secret unnecessary in production', async (t) => {
  const text = pem(ES256) + pem(EdDSA)
  t.strictSame(readConfig({ JWT_PRIVATE_KEY: text }).jwtPrivateKeys.map(jwkOf), [ES256, EdDSA].map(jwk))
  t.strictSame(readConfig({ JWT_PRIVATE_KEY: '' }).jwtPrivateKeys, [], 'empty is unset')
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@host/db', REDIS_URL: 'redis://host' }
  t.equal(readConfig({ ...production, JWT_PRIVATE_KEY: text }).jwtPrivateKeys.length, 2)
  t.throws(() => readConfig(production), { message: /JWT_SECRET: must be set in production, or JWT_PRIVATE_KEY/ })
})

t.test('a public key is refused, alone or among private ones', async (t) => {
  for (const [name, pair] of all) {
    isRefused(t, publicPem(pair), `PEM ${name}`)
    isRefused(t, publicPem(pair).replaceAll('\n', '\\n'), `escaped PEM ${name}`)
    isRefused(t, pem(EdDSA) + publicPem(pair), `PEM after a private one, ${name}`)
    isRefused(t, JSON.stringify(pair.publicKey.export({ format: 'jwk' })), `JWK ${name}`)
    isRefused(t, JSON.stringify({ keys: [jwk(EdDSA), pair.publicKey.export({ format: 'jwk' })] }), `in a set, ${name}`)
  }
  isRefused(t, RS256.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(), 'PKCS #1')
})

t.test('an encrypted key is refused, in the new and the old form', async (t) => {
  for (const [name, pair] of all) isRefused(t, encrypted(pair, 'pkcs8'), name, /must be an unencrypted private key/)
  isRefused(t, encrypted(RS256, 'pkcs1'), 'with a Proc-Type header')
})

t.test('a key of another kind, or one that is too weak, is refused', async (t) => {
  const unfit: Record<string, Pair> = {
    'RSA 1024': newKeyPair('rsa', { modulusLength: 1024 }),
    'RSA-PSS': newKeyPair('rsa-pss', { modulusLength: 2048 }),
    'P-384': newKeyPair('ec', { namedCurve: 'P-384' }),
    x25519: newKeyPair('x25519')
  }
  for (const [name, pair] of Object.entries(unfit)) {
    isRefused(t, pem(pair), name, /none of: Ed25519, P-256, RSA of at least 2048 bits/)
    isRefused(t, pem(EdDSA) + pem(pair), `${name} after a good one`, /none of: Ed25519/)
    if (name !== 'RSA-PSS') isRefused(t, JSON.stringify(jwk(pair)), `${name} as a JWK`, /none of: Ed25519/)
  }
  isRefused(t, JSON.stringify({ kty: 'oct', k: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA' }), 'oct JWK')
})

t.test('a text that is not a key is refused', async (t) => {
  for (const text of [
    'null', 'true', '7', '-1', '1e3', '"text"', 'garbage', 'Uw7-a-secret-where-a-key-should-be-aa91x0',
    '/etc/gatehouse/key.pem', '-----BEGIN PRIVATE KEY-----', 'file:///key.pem', '\u0000'
  ]) isRefused(t, text, text, /must be whole private keys in PEM, a JWK or a JWK set; make one with: openssl genpkey/)
  for (const text of ['[]', '{"keys":[]}', '{"keys":{}}', '{"keys":"x"}', '{"keys":7}', '{"keys":true}']) {
    isRefused(t, text, text, /no keys in its JWK set/)
  }
  for (const text of [
    '{}', '{', '[', '[null]', '[7]', '["x"]', '[[]]', '[{}]', '{"keys":null}', '{"keys":[null]}',
    '{"keys":[{"keys":[]}]}', '{"kty":"RSA"}', '{"kty":"OKP","crv":"Ed25519"}',
    '{"__proto__":{"kty":"OKP"}}', '['.repeat(10_000), JSON.stringify([pem(EdDSA)]),
    JSON.stringify({ key: pem(EdDSA), format: 'pem' })
  ]) isRefused(t, text, text.slice(0, 40), /must be an unencrypted private key/)
})

t.test('a truncated or damaged key is refused', async (t) => {
  for (const [name, pair] of all) {
    const whole = pem(pair)
    isRefused(t, cut(whole), `cut in the middle, ${name}`)
    isRefused(t, whole.slice(0, -10), `without its last dashes, ${name}`)
    isRefused(t, whole.replace(/^-+BEGIN PRIVATE KEY-+/, ''), `without its first line, ${name}`)
    isRefused(t, whole.replace(/(KEY-----\n)[\w+/]{20}/, '$1'), `without its first letters, ${name}`)
    isRefused(t, whole.replace('END PRIVATE', 'END PUBLIC'), `ended as another, ${name}`)
    isRefused(t, JSON.stringify({ ...jwk(pair), d: 7 }), `a JWK with a number for a private part, ${name}`)
  }
})

t.test('a JWK whose private part does not belong to its public part is refused', async (t) => {
  const { x, y } = jwk(others.ES256)
  isRefused(t, JSON.stringify({ ...jwk(ES256), x, y }), 'P-256')
  isRefused(t, JSON.stringify({ ...jwk(ES256), d: cut(jwk(ES256).d!) }), 'P-256, half of its private part')
  isRefused(t, JSON.stringify({ ...jwk(RS256), n: jwk(others.RS256).n }), 'RSA')
})

t.test('a repeated key counts once or is refused', async (t) => {
  for (const text of [pem(EdDSA) + pem(EdDSA), JSON.stringify([jwk(RS256), jwk(RS256)])]) {
    t.not(await Promise.resolve(text).then(parsePrivateKeys).then(keys => keys.length, () => 0), 2)
  }
})

t.test('the output of `openssl ecparam -genkey`, with parameters before the key, is read', async (t) => {
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  const keys = await Promise.resolve(parameters + pem(ES256, 'sec1')).then(parsePrivateKeys).catch(() => [])
  t.strictSame(keys.map(jwkOf), [jwk(ES256)])
})

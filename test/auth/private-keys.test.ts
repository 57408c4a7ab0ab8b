// A private key is read from every usual form, and a key that is not safe is refused.

import type { JsonWebKey, KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import t from 'tap'
import { parsePrivateKeys } from '#src/auth/private-keys.js'
import { readConfig } from '#src/config/load.js'
import { newKeyPair } from '../fixtures/keys.js'

interface Pair { privateKey: KeyObject, publicKey: KeyObject }

const newEs256 = (): Pair => newKeyPair('ec', { namedCurve: 'P-256' })
const newRs256 = (): Pair => newKeyPair('rsa', { modulusLength: 2048 })
const [EdDSA, ES256, RS256] = [newKeyPair('ed25519'), newEs256(), newRs256()]
const all = Object.entries({ EdDSA, ES256, RS256 })

const pem = ({ privateKey }: Pair, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8'): string =>
  String(privateKey.export({ type, format: 'pem' }))
const publicPem = ({ publicKey }: Pair): string => String(publicKey.export({ type: 'spki', format: 'pem' }))
const encrypted = ({ privateKey }: Pair, type: 'pkcs8' | 'pkcs1'): string =>
  String(privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a passphrase' }))
const jwkOf = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' })
const jwk = ({ privateKey }: Pair): JsonWebKey => jwkOf(privateKey)
const escaped = (text: string): string => text.replaceAll('\n', '\\n')
const cut = (text: string): string => text.slice(0, text.length / 2)

type Read = [form: string, text: string, keys: Pair[]]
const inOrder = [ES256, RS256, EdDSA]
const read: Read[] = [
  ...all.flatMap(([name, pair]): Read[] => [
    [`PKCS #8, ${name}`, pem(pair), [pair]],
    [`newlines escaped, as a line of .env has them, and quoted, ${name}`, `"${escaped(pem(pair))}"`, [pair]],
    [`lines ended as on Windows, ${name}`, pem(pair).replaceAll('\n', '\r\n'), [pair]],
    [`other text around it, ${name}`, `\n\n  subject=erp\n${pem(pair)}made on a Monday`, [pair]],
    [`a JWK over several lines, with a name of its own, ${name}`,
      `\n ${JSON.stringify({ kid: 'mine', use: 'sig', ...jwk(pair) }, null, 2)}\n`, [pair]]
  ]),
  ['SEC 1', pem(ES256, 'sec1'), [ES256]],
  ['PKCS #1', pem(RS256, 'pkcs1'), [RS256]],
  ['openssl ecparam -genkey, which prints parameters before the key',
    `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${pem(ES256, 'sec1')}`, [ES256]],
  ['several in PEM', inOrder.map(pair => pem(pair)).join(''), inOrder],
  ['an array of JWKs', JSON.stringify(inOrder.map(jwk)), inOrder],
  ['a JWK set with more in it', JSON.stringify({ keys: inOrder.map(jwk), more: 'that is not ours' }), inOrder]
]

t.test('private keys are read from each form of PEM and JWK, in their order', async (t) => {
  for (const [form, text, keys] of read) t.strictSame(parsePrivateKeys(text).map(jwkOf), keys.map(jwk), form)
})

t.test('a key makes a secret unnecessary in production', async (t) => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@host/db', REDIS_URL: 'redis://host' }
  t.strictSame(readConfig({ ...production, JWT_PRIVATE_KEY: pem(ES256) }).jwtPrivateKeys.map(jwkOf), [jwk(ES256)])
  t.throws(() => readConfig(production), { message: /JWT_SECRET: must be set in production, or JWT_PRIVATE_KEY/ })
})

const NO_KEY = /must be whole private keys in PEM, a JWK or a JWK set; make one with: openssl genpkey/
const NOT_PRIVATE = /must be an unencrypted private key/
const WEAK = /none of: Ed25519, P-256, RSA of at least 2048 bits/
const NO_PAIR = /not of one pair/
const weak = Object.entries({
  'RSA 1024': newKeyPair('rsa', { modulusLength: 1024 }),
  'RSA-PSS': newKeyPair('rsa-pss', { modulusLength: 2048 }),
  'P-384': newKeyPair('ec', { namedCurve: 'P-384' }),
  x25519: newKeyPair('x25519')
})

type Refused = [what: string, text: string, message: RegExp]
const refused: Refused[] = [
  ...all.flatMap(([name, pair]): Refused[] => [
    [`a public key, ${name}`, publicPem(pair), NOT_PRIVATE],
    [`a public one after a private one, ${name}`, pem(EdDSA) + publicPem(pair), NOT_PRIVATE],
    [`a public JWK in a set, ${name}`, JSON.stringify({ keys: [jwk(EdDSA), jwkOf(pair.publicKey)] }), NOT_PRIVATE],
    [`an encrypted key, ${name}`, encrypted(pair, 'pkcs8'), NOT_PRIVATE],
    [`cut in the middle, ${name}`, cut(pem(pair)), NO_KEY],
    [`without its last dashes, ${name}`, pem(pair).slice(0, -10), NO_KEY],
    [`ended as another, ${name}`, pem(pair).replace('END PRIVATE', 'END PUBLIC'), NO_KEY],
    [`a cut one after a whole one, ${name}`, pem(EdDSA) + cut(pem(pair)), NO_KEY],
    [`without its first letters, ${name}`, pem(pair).replace(/(KEY-----\n)[\w+/]{20}/, '$1'), NOT_PRIVATE],
    [`a number for a private part, ${name}`, JSON.stringify({ ...jwk(pair), d: 7 }), NOT_PRIVATE],
    [`twice, ${name}`, pem(pair) + pem(pair), /has the same key twice/]
  ]),
  ...weak.map(([name, pair]): Refused => [`${name} after a good one`, pem(EdDSA) + pem(pair), WEAK]),
  ['P-384 as a JWK', JSON.stringify(jwk(weak[2]![1])), WEAK],
  ['encrypted, with a Proc-Type header', encrypted(RS256, 'pkcs1'), NO_KEY],
  ['a secret as a JWK', '{"kty":"oct","k":"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"}', NOT_PRIVATE],
  ['halves of two pairs, P-256', JSON.stringify({ ...jwk(newEs256()), d: jwk(ES256).d }), NO_PAIR],
  ['halves of two pairs, RSA', JSON.stringify({ ...jwk(RS256), n: jwk(newRs256()).n }), NO_PAIR],
  ...['null', '7', '"text"', '/etc/gatehouse/key.pem', '-----BEGIN PRIVATE KEY-----', '\u0000'].map(
    (text): Refused => [text, text, NO_KEY]),
  ...['[]', '{"keys":[]}', '{"keys":{}}', '{"keys":7}'].map((text): Refused => [text, text, /no keys in its JWK set/]),
  ...['{}', '{', '[null]', '[[]]', '{"keys":null}', '{"keys":[{"keys":[]}]}', '{"kty":"RSA"}',
    '{"__proto__":{"kty":"OKP"}}', '['.repeat(10_000), JSON.stringify([pem(EdDSA)])
  ].map((text): Refused => [text.slice(0, 40), text, NOT_PRIVATE])
]

t.test('what is no private key, or no safe one, is refused by name, and nothing of it is quoted', async (t) => {
  for (const [what, text, message] of refused) {
    const pieces = (text.match(/[\w+/]{12,}/g) ?? []).map(piece => piece.slice(0, 12))
    for (const read of [parsePrivateKeys, (JWT_PRIVATE_KEY: string) => readConfig({ JWT_PRIVATE_KEY })]) {
      const error = await (async () => read(text))().then(() => new Error('it was read'), (error: Error) => error)
      t.match(error.message, message, what)
      const said = inspect(error, { depth: 9, showHidden: true }).replace(/\n\s+at .*/g, '')
      t.strictSame(pieces.filter(piece => said.includes(piece)), [], what)
    }
  }
})

// Secrets are strong and survive a restart. Only claims that the service makes itself are accepted.

import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { generatedSecret } from '#src/auth/generated-secret.js'
import {
  areOurClaims, AUDIENCE, CLOCK_TOLERANCE_SECONDS, createKeyRing, ISSUER, requiredClaims, TOKEN_TTL_SECONDS
} from '#src/auth/tokens.js'
import { newDirectory } from '../fixtures/lifetime.js'

const first = 'Uw7-first-secret-of-the-ring-aa91x'

// S73
t.test('a kid is short and is not a plain hash of its secret', async (t) => {
  const { kid } = createKeyRing([first]).signing
  t.match(kid, /^[\w-]{12}$/)
  for (const encoding of ['hex', 'base64url'] as const) {
    t.notOk(createHash('sha256').update(first).digest(encoding).startsWith(kid))
  }
})

t.test('a generated secret is strong, readable by its owner only, and kept for the next start', async (t) => {
  const parent = newDirectory(t)
  const folder = join(parent, 'made', 'when needed')
  const secret = generatedSecret(folder, 'jwt-secret')
  t.match(secret, /^[\w-]{64}$/)
  t.equal(statSync(join(folder, 'jwt-secret')).mode & 0o777, 0o600)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  t.equal(generatedSecret(folder, 'jwt-secret'), secret)
  t.not(generatedSecret(join(parent, 'other'), 'jwt-secret'), secret)
})

t.test('a line end after a secret does not change it, and the file is left as it is', async (t) => {
  const folder = newDirectory(t, { 'jwt-secret': `${first}\n` })
  t.equal(generatedSecret(folder, 'jwt-secret'), first)
  t.equal(readFileSync(join(folder, 'jwt-secret'), 'utf8'), `${first}\n`)
})

// S71
t.test('an empty or truncated secret file is refused by name, never used', async (t) => {
  const folder = newDirectory(t)
  for (const left of ['', '\n', first.slice(0, 31)]) {
    writeFileSync(join(folder, 'jwt-secret'), left)
    t.throws(() => generatedSecret(folder, 'jwt-secret'), { message: /jwt-secret/ })
  }
})

t.test('a secret that cannot be stored is an error, because tokens would end with the process', async (t) => {
  // The longest folder there can be, so that its files' paths are too long.
  const longest = newDirectory(t) + `/${'x'.repeat(99)}`.repeat(50)
  t.throws(() => generatedSecret(longest.slice(0, 4090).replace(/\/?$/, 'x'), 'jwt-secret'), { code: 'ENAMETOOLONG' })
})

const now = 1_800_000_000
const claims = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: '7',
  iat: now - 60,
  exp: now - 60 + TOKEN_TTL_SECONDS,
  jti: 'j',
  role: 'USER',
  userType: 'STUDENT',
  tv: 0
}

t.test('our own claims are accepted', async (t) => {
  t.strictSame(Object.keys(claims).sort(), [...requiredClaims].sort())
  for (const ours of [
    {}, { db: '8b1f0a52-4c1c-4f0e-9b44-0a9d0ce6f7d1' }, { sub: '2147483647' }, { tv: 7 },
    { iat: now + CLOCK_TOLERANCE_SECONDS }, { iat: now, exp: now + TOKEN_TTL_SECONDS }
  ]) {
    t.equal(areOurClaims({ ...claims, ...ours }, now), true, JSON.stringify(ours))
  }
  t.equal(areOurClaims({
    ...claims, iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 1
  }), true, 'by the clock of this machine')
})

// S64 S65
t.test('claims of another type, or with a longer lifetime, are refused', async (t) => {
  const foreign: Array<[keyof typeof claims | 'db', unknown[]]> = [
    ['aud', [undefined, [AUDIENCE], { 0: AUDIENCE }]],
    ['sub', [
      undefined, 7, '', '0', '07', '-7', '7.5', '7e1', ' 7', '7\n', '2147483648', '99999999999999999999', ['7'],
      { toString: () => '7' }
    ]],
    ['iat', [undefined, String(now), now + CLOCK_TOLERANCE_SECONDS + 1, now - 0.5, NaN, null, 9e15, [now]]],
    ['exp', [undefined, String(now + 60), now + TOKEN_TTL_SECONDS - 59, 9e15, Infinity, NaN, null, [now + 60]]],
    ['jti', [undefined, '', 7, null, ['j']]],
    ['role', [undefined, '', 7, null, ['ADMIN'], { role: 'ADMIN' }]],
    ['userType', [undefined, '', 7, null, ['STUDENT']]],
    ['db', ['', 7, null, ['8b1f0a52']]],
    ['tv', [undefined, -1, 1.5, '0', '', NaN, Infinity, null, true, [0]]]
  ]
  for (const [claim, values] of foreign) {
    for (const value of values) {
      t.equal(areOurClaims({ ...claims, [claim]: value }, now), false, `${claim}: ${JSON.stringify(value)}`)
    }
  }
})

// Secrets are strong and survive a restart.

import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createKeyRing, generatedSecret } from '#src/auth/tokens.js'
import { newDirectory } from '../fixtures/lifetime.js'

const first = 'Uw7-first-secret-of-the-ring-aa91x'

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

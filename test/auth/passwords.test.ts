// Comparisons are correct for every hash, take as long for an unknown user as for a known one, and are bounded in
// number.

import { setTimeout } from 'node:timers/promises'
import bcrypt from 'bcrypt'
import t, { type Test } from 'tap'
import { createPasswords, HashQueueFull } from '#src/auth/passwords.js'

const passwords = await createPasswords({ cost: 10, concurrency: 2 })
const hashOf = (password: string, cost = 4): Promise<string> => bcrypt.hash(password, cost)

// S3
t.test('without a usable hash nothing matches and nothing throws', async (t) => {
  const good = await hashOf('decoy')
  for (const hash of [
    undefined, null, '', 'decoy', '$2b$', good.slice(0, -1), good.replace('$2b', '$2x'), good.replace('$04$', '$31$'),
    good.replace('$04$', '$00$'), `${good}x`, `{BCRYPT}${good}`
  ]) {
    t.equal(await passwords.verify('decoy', hash), false, String(hash))
  }
})

// S44
t.test('72 bytes are compared whole, and a 73rd is not silently cut off', async (t) => {
  const password = 'é'.repeat(36)
  const hash = await passwords.hash(password)
  t.equal(await passwords.verify(password, hash), true)
  t.equal(await passwords.verify(`${password}x`, hash), false)
})

t.test('a hash of another system is also compared with a password as it was typed', async (t) => {
  const typed = '\u0958\u093f\u0924\u093e\u092c \u0914\u0930 \u0915\u0932\u092e'
  const theirs = (await hashOf(typed)).replace('$2b', '$2y')

  t.equal(await passwords.verify(typed, theirs), true)
  t.equal(await passwords.verify(typed, await passwords.hash(typed)), true)
  t.equal(await passwords.verify(typed, (await passwords.hash(typed)).replace('$2b', '$2y')), true, 'ours that moved')
  for (const hash of [theirs, await passwords.hash('another'), undefined]) {
    t.equal(await passwords.verify(`${typed}x`, hash), false)
  }
})

const UNIT_MS = 0.025

/**
 * Replaces bcrypt by a timer of UNIT_MS times 2 to the power of the cost. That is rounded up, plus 1 ms, because timers
 * may be early. Only the password "right" matches.
 */
function simulate (t: Test): { costs: number[] } {
  const costs: number[] = []
  t.intercept(bcrypt, 'compare', {
    value: async (password: string, hash: string) => {
      costs.push(Number(hash.slice(4, 6)))
      await setTimeout(Math.ceil(UNIT_MS * 2 ** costs.at(-1)!) + 1)
      return password === 'right'
    }
  })
  return { costs }
}

const anyOf = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'a'.repeat(53)}`

async function timeOf (work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The shortest of several tries, because a busy machine only adds time. */
async function leastOf (work: () => Promise<unknown>): Promise<number> {
  const times = []
  for (let i = 0; i < 4; i++) times.push(await timeOf(work))
  return Math.min(...times)
}

// S1 S3 S5
t.test('every failure takes as long as one hash of the highest cost; a success does not wait', async (t) => {
  const { costs } = simulate(t)
  const table: Array<[name: string, password: string, hash: string | undefined, cost: number]> = [
    ['no hash', 'wrong', undefined, 8], ['a damaged one', 'wrong', '$2b$10$short', 8],
    ['today\'s', 'wrong', anyOf(8), 8],
    ['a cheaper one', 'wrong', anyOf(4), 4], ['a dearer one', 'wrong', anyOf(9), 9],
    ['the dearest', 'wrong', anyOf(12), 12], ['one of Spring', 'wrong', `{bcrypt}${anyOf(9)}`, 9],
    ['too long a password', 'right'.repeat(20), anyOf(8), 8]
  ]
  for (const [name, password, hash, cost] of table) {
    const passwords = await createPasswords({
      cost: 8, concurrency: 2, costlierHashes: async () => [{ cost: 9, accounts: 3 }, { cost: 12, accounts: 1 }]
    })
    costs.length = 0
    const took = await timeOf(() => passwords.verify(password, hash))
    t.same(costs, [cost], name)
    t.ok(took > UNIT_MS * 2 ** 12, `${name}: ${Math.round(took)} ms`)
    t.ok(await leastOf(() => passwords.verify('right', anyOf(8))) < UNIT_MS * 2 ** 12, 'a success does not wait')
  }
})

t.test('the highest cost falls when its hashes are gone, and each change is reported once', async (t) => {
  simulate(t)
  let found = [{ cost: 12, accounts: 2 }]
  const said: unknown[] = []
  const passwords = await createPasswords({
    cost: 8, concurrency: 2, costlierHashes: async () => found, onCostlier: found => said.push(found)
  })
  const failure = () => leastOf(() => passwords.verify('wrong', undefined))
  const now = performance.now.bind(performance)
  let laterMs = 0
  t.intercept(performance, 'now', { value: () => now() + laterMs })
  t.ok(await failure() > UNIT_MS * 2 ** 12)
  laterMs += 11_000
  await failure()
  t.same(said, [[{ cost: 12, accounts: 2 }]])
  found = []
  laterMs += 11_000
  await passwords.learnCosts()
  for (let i = 0; i < 40; i++) await passwords.verify('right', anyOf(8))
  t.ok(await failure() < UNIT_MS * 2 ** 12)
  t.same(said, [[{ cost: 12, accounts: 2 }], []])
})

t.test('a waiting failure occupies no slot of the hash queue, and ends when the service stops', async (t) => {
  simulate(t)
  const passwords = await createPasswords({
    cost: 8, concurrency: 1, costlierHashes: async () => [{ cost: 16, accounts: 1 }]
  })
  let compared = 0
  const took = await timeOf(async () => {
    const waiting = passwords.verify('wrong', undefined, () => { compared++ })
    t.equal(await passwords.verify('right', anyOf(8)), true, 'others are compared meanwhile')
    t.equal(compared, 1)
    passwords.close()
    t.equal(await waiting, false)
  })
  t.ok(took < UNIT_MS * 2 ** 16, `${Math.round(took)} ms, less than it would have waited`)
})

t.test('a failure at a cheap hash keeps its slot as long as one at a hash of today\'s cost', async (t) => {
  simulate(t)
  const passwords = await createPasswords({ cost: 12, concurrency: 1 })
  for (let i = 0; i < 5; i++) await passwords.verify('right', anyOf(12))
  const bystander = await leastOf(async () => {
    const failing = passwords.verify('wrong', anyOf(8))
    await passwords.verify('right', anyOf(12))
    await failing
  })
  // As long again as its own; a cheap hash alone would add 7 ms.
  t.ok(bystander > 1.7 * UNIT_MS * 2 ** 12, `${Math.round(bystander)} ms`)
})

t.test('a failure is answered even if the costs in use cannot be read', async (t) => {
  simulate(t)
  const passwords = await createPasswords({
    cost: 8, concurrency: 1, costlierHashes: async () => { throw new Error('no database') }
  })
  t.equal(await passwords.verify('wrong', undefined), false)
})

// S84
t.test('two hashes run at a time, thirty-two wait, and further ones are refused', async (t) => {
  const hash = await hashOf('x', 10)
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.verify('x', hash)))
  const full = results.filter(result => result.status === 'rejected' && result.reason instanceof HashQueueFull)
  t.ok(full.length >= 50 - 34 && full.length <= 50 - 32, `${full.length} of 50 were turned away`)
  t.equal(results.filter(result => result.status === 'fulfilled' && result.value).length, 50 - full.length)
  t.equal(await passwords.verify('x', hash), true, 'and then there is room again')
})

t.test('a hash is outdated if another system made it, or if its cost differs from today\'s', async (t) => {
  const hash = await hashOf('x', 10)
  for (const other of [`{bcrypt}${hash}`, hash.replace('2b', '2y')]) {
    t.equal(passwords.needsRehash(other, 'x'), true)
    t.equal(passwords.needsRehash(other, 'x'.repeat(73)), false, 'ours could not be of so long a password')
  }
  t.equal(passwords.needsRehash(await hashOf('x', 10), 'x'), false)
  t.equal(passwords.needsRehash(await hashOf('x', 9), 'x'), true)
  t.equal(passwords.needsRehash(await hashOf('x', 11), 'x'), true)
})

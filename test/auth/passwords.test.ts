import bcrypt from 'bcrypt'
import t from 'tap'
import { createPasswords, HashQueueFull } from '../../src/auth/passwords.js'

const passwords = await createPasswords({ cost: 10, concurrency: 2 })
const hashOf = (password: string, cost = 4): Promise<string> => bcrypt.hash(password, cost)

t.test('a password is verified against its hash, of any cost', async (t) => {
  const passwords = await createPasswords({ cost: 10, concurrency: 2 })
  for (const cost of [4, 9, 10, 11]) {
    const hash = await hashOf('correct horse', cost)
    t.equal(await passwords.verify('correct horse', hash), true)
    t.equal(await passwords.verify('correct horsf', hash), false)
  }
})

t.test('S3: without a usable hash nothing matches and nothing throws', async (t) => {
  const good = await hashOf('decoy')
  for (const hash of [undefined, null, '', 'decoy', '$2b$', good.slice(0, -1), good.replace('$2b', '$2y'), good.replace('$04$', '$31$'), good.replace('$04$', '$00$'), `${good}x`]) {
    t.equal(await passwords.verify('decoy', hash), false, String(hash))
  }
})

t.test('S44: 72 bytes are compared whole, and a 73rd is not cut off in silence', async (t) => {
  const password = 'é'.repeat(36)
  const hash = await passwords.hash(password)
  t.equal(await passwords.verify(password, hash), true)
  t.equal(await passwords.verify(`${password}x`, hash), false)
})

t.test('S45 S46: composed and decomposed letters are the same, spaces around are not', async (t) => {
  const hash = await passwords.hash('Zo\u00eb \u00e5ngstr\u00f6m')
  t.equal(await passwords.verify('Zoe\u0308 a\u030angstro\u0308m', hash), true)
  t.equal(await passwords.verify(' Zo\u00eb \u00e5ngstr\u00f6m', hash), false)
  t.match(hash, /^\$2b\$10\$/)
})

t.test('S1 S3 S5: an unknown user, a damaged hash and one of a lower cost are given as much work as a good hash', async (t) => {
  const rounds: number[] = []
  t.intercept(bcrypt, 'compare', {
    value: async (_password: string, hash: string) => {
      rounds.push(2 ** Number(hash.slice(4, 6)))
      return false
    }
  })
  const hashes = { none: undefined, empty: '', damaged: '$2b$10$short', today: `$2b$10$${'a'.repeat(53)}`, cheaper: `$2b$08$${'a'.repeat(53)}`, cheapest: `$2b$04$${'a'.repeat(53)}` }
  for (const [name, hash] of Object.entries(hashes)) {
    rounds.length = 0
    await passwords.verify('password', hash)
    t.equal(rounds.reduce((sum, n) => sum + n), 2 ** 10, name)
  }
  rounds.length = 0
  await passwords.verify('x'.repeat(100), `$2b$10$${'a'.repeat(53)}`)
  t.equal(rounds.reduce((sum, n) => sum + n), 2 ** 10, 'a password that is too long')
})

t.test('S5: once a hash has been met that is dearer than today\'s, every comparison takes as long as with it', async (t) => {
  const lowered = await createPasswords({ cost: 10, concurrency: 2 })
  let rounds = 0
  t.intercept(bcrypt, 'compare', {
    value: async (_password: string, hash: string) => {
      rounds += 2 ** Number(hash.slice(4, 6))
      return false
    }
  })
  for (const hash of [`$2b$12$${'a'.repeat(53)}`, undefined, `$2b$10$${'a'.repeat(53)}`]) {
    rounds = 0
    await lowered.verify('password', hash)
    t.equal(rounds, 2 ** 12, String(hash))
  }
})

t.test('S84: two hashes are computed at a time, thirty-two more wait, and the next is told to come back', async (t) => {
  const hash = await hashOf('x', 10)
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.verify('x', hash)))
  const full = results.filter(result => result.status === 'rejected' && result.reason instanceof HashQueueFull)
  t.ok(full.length >= 50 - 34 && full.length <= 50 - 32, `${full.length} of 50 were turned away`)
  t.equal(results.filter(result => result.status === 'fulfilled' && result.value).length, 50 - full.length)
  t.equal(await passwords.verify('x', hash), true, 'and then there is room again')
})

t.test('a hash is outdated when its cost is not today\'s, whether lower or higher', async (t) => {
  t.equal(passwords.outdated(await hashOf('x', 10)), false)
  t.equal(passwords.outdated(await hashOf('x', 9)), true)
  t.equal(passwords.outdated(await hashOf('x', 11)), true)
})

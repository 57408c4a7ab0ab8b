import { randomInt } from 'node:crypto'
import { openDatabase } from '#src/database/database.js'
import { newSecret } from '#src/second-factor/codes.js'
import { checkCode, MAX_OF_PASSWORD, MAX_WRONG } from '#src/second-factor/factors.js'
import { factorSealing, ofUser } from '#src/second-factor/sealing.js'
import { startPostgres } from '../test/fixtures/postgres.js'
import { startRedis } from '../test/fixtures/redis.js'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { mostGuesses, simulateAttack, type Attack, type Logins } from '../test/fixtures/attack.js'
import { openRedisStore } from '../test/fixtures/store.js'
import { atMost, type Part } from './report.js'

const attacks: Attack[] = [
  { attackers: 1, hours: 72 }, { attackers: 2, hours: 72 }, { attackers: 9, hours: 72 }, { attackers: 20, hours: 72 },
  { attackers: 1000, hours: 24 }, { attackers: 20, hours: 24, shared: 20 }
]

const [CODES, CODES_AT_ONCE] = [2000, 20]
const BOUNDS = [MAX_OF_PASSWORD, MAX_WRONG]

/** Days of guessing at one account, on the real script: what the owner notices, and how many passwords are compared. */
export async function measureLockOut (t: Lifetime): Promise<Part[]> {
  const rows: string[][] = []
  const aims = []
  for (const attack of attacks) {
    const { client, url } = await startRedis(t)
    const { guesses, owner, stranger } = await simulateAttack(client, await openRedisStore(t, url), attack)
    const { attackers, hours, shared = 0 } = attack
    const name = `${attackers} addresses, ${shared} of them known, ${hours} h`
    rows.push([name, shareOf(owner), shareOf(stranger), String(guesses), String(mostGuesses(attack))])
    aims.push(atMost(`owner refused at a known address: ${name}`, 0, owner.refused), atMost(
      `guesses: ${name}`, mostGuesses(attack), guesses
    ))
  }
  const passwords = {
    title: 'Guessing at one account',
    note: 'Each attacking address guesses as often as its login bucket admits, and always before the owner. Buckets ' +
      'are aged by a minute at a time.',
    header: ['', 'owner refused, known address', 'elsewhere', 'guesses compared', 'bound'],
    rows,
    aims
  }
  return [passwords, await measureCodes(t)]
}

/** Both attackers have the right password, and as many addresses as they want: what ends them is in PostgreSQL. */
async function measureCodes (t: Lifetime): Promise<Part> {
  const { url } = await startPostgres(t)
  const { prisma: db, close } = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(close)
  const user = await db.user.create({
    data: { username: 'asha', passwordHash: 'hash', userType: 'EMPLOYEE', role: 'USER' }
  })
  const sealing = factorSealing(['a key that seals second factors in a benchmark'])
  const said = { requestId: 'bench', language: 'en' }
  const attack = async (changesPassword: boolean): Promise<number> => {
    const secret = sealing.seal(newSecret(), ofUser(user.id))
    const begun = { secret, wrongCodes: 0, wrongOfPassword: 0 }
    await db.secondFactor.upsert({ where: { userId: user.id }, create: { userId: user.id, ...begun }, update: begun })
    let compared = 0
    for (let tried = 0; tried < CODES; tried += CODES_AT_ONCE) {
      const passwordHash = changesPassword ? `hash ${tried}` : user.passwordHash
      const outcomes = await Promise.all(Array.from({ length: CODES_AT_ONCE }, () =>
        checkCode(db, sealing, { id: user.id, passwordHash }, String(randomInt(1e6)).padStart(6, '0'), said)))
      compared += outcomes.filter(outcome => outcome !== 'stolen' && outcome !== 'locked').length
    }
    return compared
  }
  const found = { 'the password': await attack(false), 'the password and the mailbox': await attack(true) }
  return {
    title: 'Guessing at codes',
    note: `${CODES} random codes, ${CODES_AT_ONCE} at once. With the mailbox, a new password is set for each of these.`,
    header: ['attacker has', 'codes tried', 'compared', 'bound'],
    rows: Object.entries(found).map(([who, compared], i) => [who, String(CODES), String(compared), String(BOUNDS[i])]),
    aims: Object.entries(found).map(([who, compared], i) => atMost(`codes compared, with ${who}`, BOUNDS[i]!, compared))
  }
}

const shareOf = ({ refused, tried }: Logins): string => `${refused} of ${tried}`

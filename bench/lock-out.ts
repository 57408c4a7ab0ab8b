import { startRedis } from '../test/fixtures/redis.js'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { mostGuesses, simulateAttack, type Attack, type Logins } from '../test/fixtures/attack.js'
import { openRedisStore } from '../test/fixtures/store.js'
import { atMost, type Part } from './report.js'

const attacks: Attack[] = [
  { attackers: 1, hours: 72 }, { attackers: 2, hours: 72 }, { attackers: 9, hours: 72 }, { attackers: 20, hours: 72 },
  { attackers: 1000, hours: 24 }, { attackers: 20, hours: 24, shared: 20 }
]

/** Days of guessing at one account, on the real script: what the owner notices, and how many passwords are compared. */
export async function measureLockOut (t: Lifetime): Promise<Part> {
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
  return {
    title: 'Guessing at one account',
    note: 'Each attacking address guesses as often as its login bucket admits, and always before the owner. Buckets ' +
      'are aged by a minute at a time.',
    header: ['', 'owner refused, known address', 'elsewhere', 'guesses compared', 'bound'],
    rows,
    aims
  }
}

const shareOf = ({ refused, tried }: Logins): string => `${refused} of ${tried}`

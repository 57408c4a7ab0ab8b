import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fleet } from './fleet.js'
import type { Rehearsal } from './rehearsal.js'

/** Entries about limits that are too low, too high, or not the same everywhere. */
const SCHOOL = '203.0.113.7'
const ATTACKER = '198.51.100'

/** One after the other, and none whom another rehearsal needs. */
const pupil = (n: number): string => `pupil.${20 + n % 20}`

/** Each address tries another account when it is its turn again. */
const guess = (fleet: Fleet): void => fleet.keep(160, n => fleet.logIn({
  username: pupil(n + Math.floor(n / 60)), password: 'wrong horse', from: `${ATTACKER}.${n % 60}`
}))
/** Whether the network of the attackers may still try passwords. */
const isCompared = async (fleet: Fleet): Promise<boolean> =>
  (await fleet.logIn({ password: 'wrong horse', from: `${ATTACKER}.59` })).status !== 403

export const limits: Rehearsal[] = [
  {
    name: 'school',
    entry: 'Logins of a whole school are refused',
    alert: 'GatehouseRefusals',
    critical: true,
    stagedBy: '600 pupils behind one address, six logins a second',
    stage: async fleet => fleet.keep(160, n => fleet.logIn({ username: pupil(n), from: SCHOOL })),
    lasts: async fleet => (await fleet.logIn({ username: 'devi.rao', from: SCHOOL })).status === 429,
    cure: [
      'gatehouse limits set login --network 203.0.113.7 --people',
      'gatehouse limits set general --network 203.0.113.7 --people'
    ],
    recovers: 'within a second',
    after: ['gatehouse limits unset login --network', 'gatehouse limits unset general --network']
  },
  {
    name: 'passwords-guessed',
    entry: 'GatehouseLoginsFailing',
    alert: 'GatehouseLoginsFailing',
    stagedBy: 'wrong passwords from a network, six a second',
    stage: async fleet => guess(fleet),
    lasts: async fleet => isCompared(fleet),
    cure: [{ printedBy: 'gatehouse logins --since' }],
    recovers: 'within a second',
    after: [{ words: 'Run that block', act: ({ shell }) => shell('gatehouse limits rollback') }]
  },
  {
    name: 'attack',
    entry: 'An attack, or a limit that is wrong',
    stagedBy: 'the same',
    stage: async fleet => guess(fleet),
    lasts: async fleet => isCompared(fleet),
    cure: ['gatehouse limits set login --network'],
    recovers: 'within a second',
    after: ['gatehouse limits rollback']
  },
  {
    name: 'network-blocked',
    entry: 'A blocked network',
    stagedBy: '`limits set --block` for a network of users',
    stage: ({ shell }) => shell('gatehouse limits set login --network 203.0.113.64/26 --block'),
    lasts: async fleet => (await fleet.logIn({ from: '203.0.113.70' })).status === 403,
    shows: { 'gatehouse limits show': /login +203\.0\.113\.64\/26 +block/ },
    cure: ['gatehouse limits unset login --network'],
    values: () => ({ CIDR: '203.0.113.64/26' }),
    recovers: 'within a second'
  },
  {
    name: 'limits-differ',
    entry: 'GatehouseLimitsDiffer',
    alert: 'GatehouseLimitsDiffer',
    critical: true,
    stagedBy: 'a replica with another LIMITS_FILE, covered by `limits set`',
    async stage (fleet) {
      const LIMITS_FILE = join(fleet.directory, 'other-limits.json')
      writeFileSync(LIMITS_FILE, '{"policies":{"login":{"capacity":60,"refill":1,"period":"1m"}}}')
      await fleet.restart(fleet.replicas[2]!, { LIMITS_FILE })
      await fleet.shell('gatehouse limits set login --capacity 5')
    },
    lasts: differ,
    finds: { limits: /LIMITS_FILE differs: login is .*60 at once.* on .*covers it/ },
    shows: { 'gatehouse limits show': /LIMITS_FILE differs: login/ },
    cure: ['docker restart --time'],
    values: (_, { replicas }) => ({ CONTAINER: replicas[2]!.name }),
    recovers: 'within 5 s',
    after: ['gatehouse limits unset']
  }
]

async function differ ({ metric }: Fleet): Promise<boolean> {
  return (await metric('gatehouse_limits_agree')).includes(0)
}

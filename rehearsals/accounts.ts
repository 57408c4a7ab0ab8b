import type { Fleet } from './fleet.js'
import { enrolBy } from './phone.js'
import type { Rehearsal } from './rehearsal.js'

/** Entries of "Lockouts and leaks". */
const wrong = 'wrong horse battery'
/** Addresses from which the fleet's limits permit many logins: what refuses there is the account throttle. */
const ATTACKERS = '198.18.0'
const HOME = '203.0.113.20'
const AT_ONCE = 12

let thief = ''

async function steal (fleet: Fleet, username: string): Promise<void> {
  thief = await fleet.tokenOf({ username })
}

export const accounts: Rehearsal[] = [
  {
    name: 'client-refused',
    entry: 'One client is refused',
    stagedBy: 'six logins from one address',
    stage: fleet => times(6, () => fleet.logIn({ password: wrong, from: HOME })),
    lasts: async fleet => (await fleet.logIn({ from: HOME })).status === 429,
    shows: { 'gatehouse buckets peek login': /login +203\.0\.113\.20 +0 / },
    cure: ['gatehouse buckets reset login'],
    values: () => ({ ADDRESS: HOME }),
    recovers: 'within a second'
  },
  {
    name: 'network-refused',
    entry: 'Many 429s, from unknown clients',
    stagedBy: 'six logins from each of five addresses',
    stage: fleet => times(30, n => fleet.logIn({ password: wrong, from: `198.51.100.${n % 5}` })),
    lasts: async fleet => (await fleet.logIn({ from: '198.51.100.4' })).status === 429,
    shows: { 'gatehouse buckets list --limited': /198\.51\.100\.4/ },
    cure: ['gatehouse buckets reset --client CIDR'],
    values: () => ({ CIDR: '198.51.100.0/24' }),
    recovers: 'within a second'
  },
  {
    name: 'account-attacked',
    entry: 'A user gets 429 at a new address',
    stagedBy: 'wrong passwords for one account from 12 addresses',
    stage: fleet => times(120, n =>
      fleet.logIn({ username: 'pupil.5', password: wrong, from: `${ATTACKERS}.${n % 12}` })),
    lasts: async fleet => (await fleet.logIn({ username: 'pupil.5' })).status === 429,
    shows: { 'gatehouse buckets peek account': /account +\S+ +0 / },
    cure: ['gatehouse buckets reset account'],
    values: () => ({ USER: 'pupil.5' }),
    recovers: 'within a second'
  },
  {
    name: 'account-at-one-address',
    entry: 'A user gets 429 at one address only',
    stagedBy: 'eleven wrong passwords for one account from one address',
    stage: fleet => times(11, () => fleet.logIn({ username: 'pupil.6', password: wrong, from: `${ATTACKERS}.99` })),
    lasts: async fleet => (await fleet.logIn({ username: 'pupil.6', from: `${ATTACKERS}.99` })).status === 429,
    shows: { 'gatehouse buckets peek account-address': /account-address .* 0 / },
    cure: ['gatehouse buckets reset account-address'],
    values: () => ({ USER: 'pupil.6', ADDRESS: `${ATTACKERS}.99` }),
    recovers: 'within a second'
  },
  {
    name: 'account-taken-over',
    entry: 'An account was taken over',
    stagedBy: 'a session of somebody else',
    stage: fleet => steal(fleet, 'pupil.7'),
    lasts: async fleet => await fleet.me(thief) === 200 || (await fleet.logIn({ username: 'pupil.7' })).status === 200,
    cure: ['gatehouse users disable'],
    values: () => ({ USER: 'pupil.7' }),
    recovers: 'within a second'
  },
  {
    name: 'token-stolen',
    entry: 'A token was stolen',
    stagedBy: 'a session of somebody else',
    stage: fleet => steal(fleet, 'pupil.8'),
    lasts: async fleet => await fleet.me(thief) === 200,
    cure: ['gatehouse tokens revoke USER'],
    values: () => ({ USER: 'pupil.8' }),
    recovers: 'within a second'
  },
  {
    name: 'phone-lost',
    entry: 'A phone is lost',
    stagedBy: 'a second factor whose codes nobody has',
    stage: fleet => enrolBy(fleet, 'pupil.11'),
    lasts: async fleet => (await fleet.logIn({ username: 'pupil.11' })).status !== 200,
    shows: { 'gatehouse users show': /secondFactor +since 20/ },
    cure: ['gatehouse users second-factor USER --remove'],
    values: () => ({ USER: 'pupil.11' }),
    recovers: 'within a second'
  },
  {
    name: 'class-passwords',
    entry: 'A class must change its passwords',
    stagedBy: 'passwords of a list, and a session',
    stage: fleet => steal(fleet, 'pupil.9'),
    lasts: async fleet => await fleet.me(thief) === 200 || (await fleet.logIn({ username: 'pupil.9' })).status !== 403,
    cure: ["printf '%s,%s\\n' username passwordTemporary USER true"],
    values: () => ({ USER: 'pupil.9', '…': 'pupil.10 true' }),
    recovers: 'within a second'
  },
  {
    name: 'one-bucket',
    entry: 'All clients share one bucket',
    stagedBy: 'a replica without TRUST_PROXY',
    stage: ({ replicas, restart }) => restart(replicas[2]!, { TRUST_PROXY: '' }),
    lasts: async fleet => (await Promise.all(Array.from({ length: 6 }, () => logInAtLast(fleet)))).includes(429),
    logs: ['forwarded_header_ignored'],
    answers: [429],
    cure: [{ words: 'TRUST_PROXY must name every proxy', act: ({ replicas, restart }) => restart(replicas[2]!) }],
    recovers: 'within 5 s'
  }
]

/** A few at once, so that none waits long for its hash. */
async function times (count: number, action: (n: number) => Promise<Response>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, i) => action(done + i))
    await Promise.all(batch.map(async reply => await (await reply).arrayBuffer()))
  }
}

/** At the last replica, as a client of a proxy. */
async function logInAtLast ({ replicas, newAddress }: Fleet): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${replicas[2]!.place.PORT}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
    body: JSON.stringify({ username: 'nobody', password: wrong })
  })
  return reply.status
}

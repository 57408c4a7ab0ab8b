import { join } from 'node:path'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { atMost, fixed, median, type Part } from './report.js'
import { bcryptCost, createUsers, startService, type Service } from './service.js'

const USERS = 30_000
const LOGINS = 3000
const WITHIN_SECONDS = 600
/** The rate is that of the whole ten minutes. */
const SECONDS = 60
/** How many accounts one statement has. */
const AT_ONCE = 3000
const CAMPUS = '198.51.100.7'

/**
 * The first lesson of a school behind one address: its pupils log in at random times, each once. The network's limit is
 * large enough for all of them.
 */
export async function measureCampus (t: Lifetime, redisUrl: string): Promise<Part> {
  const limits = {
    networks: { [`${CAMPUS}/32`]: { login: { capacity: 600, refill: LOGINS / (WITHIN_SECONDS / 60), period: '1m' } } }
  }
  const directory = newDirectory(t, { 'campus.json': JSON.stringify(limits) })
  const service = await startService(t, redisUrl, { LIMITS_FILE: join(directory, 'campus.json') })
  await addPupils(service)

  const before = await service.metrics()
  const logins = await logInAtRandom(service, LOGINS * SECONDS / WITHIN_SECONDS)
  const after = await service.metrics()
  const spent = (name: string): number => after(name) - before(name)
  // With the wait for it.
  const hashMs = spent('gatehouse_hash_duration_seconds_sum') / spent('gatehouse_hash_duration_seconds_count') * 1000

  const ms = logins.map(({ ms }) => ms).sort((a, b) => a - b)
  const meanMs = ms.reduce((sum, one) => sum + one, 0) / ms.length
  const failed = logins.filter(({ status }) => status !== 200).length
  const p99 = ms[Math.floor(ms.length * 0.99)]!
  return {
    title: 'The first lesson: a school behind one address',
    note: `${USERS} accounts. ${LOGINS} of them log in within ${WITHIN_SECONDS / 60} minutes from one address: ` +
      `${SECONDS} s at that rate, at random times. The process took ` +
      `${fixed(spent('process_cpu_seconds_total') / SECONDS)} cores.`,
    header: ['', 'logins', 'not 200', 'p50 ms', 'p99 ms', 'worst ms', 'mean ms', 'of it for bcrypt'],
    rows: [[
      'logins', logins.length, failed, ...[median(ms), p99, ms.at(-1)!, meanMs, hashMs].map(number => number.toFixed(0))
    ].map(String)],
    aims: [
      atMost('logins that were not answered with 200', 0, failed),
      atMost('mean ms that a login spent without bcrypt and its queue', 50, meanMs - hashMs)
    ]
  }
}

async function addPupils ({ databaseUrl }: Service): Promise<void> {
  const names = Array.from({ length: USERS }, (_, i) => pupil(i))
  for (let i = 0; i < USERS; i += AT_ONCE) await createUsers(databaseUrl, names.slice(i, i + AT_ONCE), bcryptCost)
}

const pupil = (i: number): string => `pupil.${i}`

async function logInAtRandom (
  { url, credentials: { password } }: Service, count: number
): Promise<Array<{ status: number, ms: number }>> {
  const atMs = Array.from({ length: count }, () => Math.random() * SECONDS * 1000)
  return await Promise.all(atMs.map(async (dueMs, i) => {
    await new Promise(resolve => setTimeout(resolve, dueMs))
    const startedMs = performance.now()
    const reply = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': CAMPUS },
      body: JSON.stringify({ username: pupil(i), password })
    })
    await reply.text()
    return { status: reply.status, ms: performance.now() - startedMs }
  }))
}

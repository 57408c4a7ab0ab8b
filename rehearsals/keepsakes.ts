import type { LimitsDocument } from '#src/limiter/limits/limits-document.js'
import { refuse } from '../test/fixtures/smtp.js'
import { until } from '../test/fixtures/until.js'
import { statusOf } from './clients.js'
import type { Fleet } from './fleet.js'

/** What others have, by name, and what it is now. */
export type Keepsakes = Map<string, string>

const BYSTANDER = 'asha.verma'
/** A bucket that is full sooner may do so by itself meanwhile. */
const LASTS_MS = 1_200_000

/**
 * Gives people who have nothing to do with any incident something to lose: half-empty buckets, failed logins of an
 * account, a block, a limit that was set at run time, a mail that waits, and a session.
 *
 * @returns a function that reads all of it
 */
export async function leaveKeepsakes (fleet: Fleet): Promise<() => Promise<Keepsakes>> {
  const { ask, logIn, shell, redis, smtp } = fleet
  for (let i = 0; i < 7; i++) await statusOf(ask('/api/student/marks', { from: '192.0.2.50' }))
  for (let i = 0; i < 2; i++) await logIn({ username: BYSTANDER, password: 'wrong horse', from: '192.0.2.51' })
  await shell('gatehouse limits set login --network 192.0.2.128/25 --block --why "a keepsake"')
  await shell('gatehouse limits set forgot-password --capacity 4 --why "a keepsake"')
  const token = await fleet.tokenOf({ username: BYSTANDER })
  await leaveMail()
  const lasting = await lastingBuckets()

  return async () => new Map([
    ...await buckets(), ...await limits(), ...await mails(), ['session', String(await fleet.me(token))],
    ['block', String((await logIn({ from: '192.0.2.130' })).status)]
  ])

  async function leaveMail (): Promise<void> {
    smtp.on.recipient = refuse(451)
    const headers = { 'content-type': 'application/json' }
    await ask('/auth/forgot-password', { method: 'POST', headers, body: JSON.stringify({ username: BYSTANDER }) })
    const tried = 'SELECT id FROM mails WHERE attempts > 0 AND claimed_until IS NULL'
    await until(async () => (await fleet.sql(tried)).length > 0)
    await fleet.sql('UPDATE mails SET due_at = now() + interval \'1 day\' WHERE attempts > 0')
    smtp.on = {}
  }

  async function lastingBuckets (): Promise<string[]> {
    const keys = await redis.client.keys('gatehouse:bucket:*')
    const left = await Promise.all(keys.map(key => redis.client.pttl(key)))
    return keys.filter((_, i) => left[i]! > LASTS_MS)
  }

  async function buckets (): Promise<Array<[string, string]>> {
    const values = await redis.client.mget(lasting)
    return lasting.flatMap((key, i) => values[i] ? [[`bucket ${key.slice(17)}`, values[i]]] : [])
  }

  async function limits (): Promise<Array<[string, string]>> {
    // Not by a command: its start would take longer than most incidents.
    const text = await redis.client.get('gatehouse:limits') ?? '{}'
    const { limits: { policies = {}, networks = {} } = {} } = JSON.parse(text) as Partial<LimitsDocument>
    return Object.entries({ ...policies, ...networks }).map(([name, row]) => [`limit ${name}`, JSON.stringify(row)])
  }

  async function mails (): Promise<Array<[string, string]>> {
    // It never waits for long enough to be an incident of its own.
    const kept = await fleet.sql(
      'UPDATE mails SET created_at = now() WHERE attempts > 0 AND due_at IS NOT NULL RETURNING id')
    return kept.map(({ id }) => [`mail ${String(id)}`, 'kept'])
  }
}

/** What was there before and is not there now; a bucket may lack more tokens. */
export function lostOf (before: Keepsakes, after: Keepsakes): string[] {
  return [...before].filter(([name, value]) => {
    const now = after.get(name)
    return now === undefined || (name.startsWith('bucket ') ? Number(now) < Number(value) : now !== value)
  }).map(([name]) => name)
}

import { action, note, ok, type Finding } from '../base/finding.js'
import { duration } from '../base/text.js'
import { ANSWER_MS, timed, type Deployment } from './run-checks.js'

/** A replica's time is from its last heartbeat, so it may be old by this much. */
const HEARTBEAT_MS = 2000
const APART_MS = 5000

interface Clock {
  of: string
  /** Ahead of this machine's; negative if behind. */
  aheadMs: number
}

/**
 * Checks the clocks on which the expiry of tokens and the sending of mails depend. Buckets depend on
 * Redis's clock alone.
 */
export async function judgeClocks ({ redis, db, config, replicas }: Deployment): Promise<Finding> {
  const servers = await Promise.all([
    redis && compare('Redis', async () => {
      const [seconds, microseconds] = await redis.time() as unknown as [string, string]
      return Number(seconds) * 1000 + Number(microseconds) / 1000
    }),
    db && compare('PostgreSQL', async () => {
      const [row] = await db.$queryRaw<Array<{ ms: number }>>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`
      return row!.ms
    }),
    ...config.signInProviders.map(({ label, issuer }) => compare(label, async () => await dateAt(issuer)))
  ])
  const clocks = [...servers.flatMap(clock => clock ?? []), ...replicas.flatMap((replica): Clock | [] => {
    if (replica.at === undefined) return []
    const aheadMs = Date.parse(replica.at) - Date.now()
    return { of: replica.name, aheadMs: aheadMs < 0 ? Math.min(0, aheadMs + HEARTBEAT_MS) : aheadMs }
  })]
  if (clocks.length === 0) return note('unknown: no other clock can be read')
  const apart = clocks.filter(({ aheadMs }) => !(Math.abs(aheadMs) <= APART_MS))
  if (apart.length === 0) return ok(`the clocks of ${clocks.map(({ of }) => of).join(', ')} and this machine agree`)
  const found = apart.map(({ of, aheadMs }) =>
    `that of ${of} is ${duration(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`)
  return action(`clocks are apart: ${found.join('; ')}; tokens and links expire too early or too late`,
    'let NTP set them (chronyc tracking)')
}

/** To the second. An ID token of a provider whose clock is more than half a minute ahead is refused. */
async function dateAt (issuer: string): Promise<number> {
  const { headers } = await fetch(issuer, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })
  return Date.parse(headers.get('date') ?? '')
}

/** The other clock was read at some time between asking and the answer. */
async function compare (of: string, read: () => Promise<number>): Promise<Clock | undefined> {
  const { answer, ms = 0 } = await timed(read)
  return answer === undefined ? undefined : { of, aheadMs: answer - (Date.now() - ms / 2) }
}

import { verdictOf } from '../bucket/algorithm.js'
import { StoreUnavailable, type Policy, type Verdict } from '../bucket/bucket.js'

/*
 * What lua/take.lua and lua/adjust.lua answer. A reply of another shape, or with the number of another call, fails the
 * call: Redis, or a proxy in front of it, has then lost the order of replies.
 */

/** A reply that the script cannot have given to this call. Its message never quotes the reply. */
class BadReply extends Error {
  override readonly name = 'BadReply'
}

/** Two numbers are packed into one integer: the tokens lacking, and below them the ms until the next refill. */
const NEXT = 2 ** 32
/** The reply for a bucket that another node of the cluster has. */
const ELSEWHERE = -1

/**
 * @param wanted how many takes want each bucket of the call
 * @returns for each bucket the verdicts of its takes, in their order; undefined if another node has the bucket
 * @throws {BadReply}
 */
export function parseTakes (
  reply: unknown, call: number, policy: Policy, wanted: readonly number[]
): Array<Verdict[] | undefined> {
  const counted = wanted.filter(takes => takes > 1).length
  const count = wanted.length
  if (!Array.isArray(reply) || reply.length !== count + 1 + counted || reply[count] !== String(call)) throw notTo(call)
  let next = count + 1
  return wanted.map((takes, i) => {
    const packed = reply[i] as number
    const granted = takes > 1 ? reply[next++] as number : Number(packed >= 0)
    if (!Number.isSafeInteger(packed) || !(granted >= 0 && granted <= takes)) throw notTo(call)
    if (packed === ELSEWHERE) return undefined
    const nextMs = Math.abs(packed) % NEXT
    const lacking = (Math.abs(packed) - nextMs) / NEXT
    const verdicts: Verdict[] = []
    for (let take = 1; take <= takes; take++) {
      const allowed = take <= granted
      const after = allowed ? lacking - granted + take : lacking
      verdicts.push(verdictOf(policy, allowed, { lacking: after, lacked: after, nextMs }, policy))
    }
    return verdicts
  })
}

/** The numbers for each bucket in a reply of lua/adjust.lua. */
const ADJUSTED = 5

/**
 * @param policies of each bucket of the call
 * @throws {BadReply}
 */
export function parseAdjusted (reply: unknown, call: number, policies: readonly Policy[]): Verdict[] {
  const [number, ...numbers] = Array.isArray(reply) ? reply as unknown[] : []
  const isWhole = numbers.length === ADJUSTED * policies.length && numbers.every(Number.isSafeInteger)
  if (number !== String(call) || !isWhole) throw notTo(call)
  return policies.map((policy, i) => {
    const [lacking, lacked, nextMs, refill, periodMs] =
      numbers.slice(ADJUSTED * i, ADJUSTED * (i + 1)) as [number, number, number, number, number]
    return verdictOf(policy, true, { lacking, lacked, nextMs }, lacking === 0 ? policy : { refill, periodMs })
  })
}

const notTo = (call: number): BadReply => new BadReply(`what came is not the reply to call ${call}`)

/** What ioredis says when it has no connection to send a take over. */
const NOT_SENT = /Stream isn't writeable|Cluster isn't ready/
/** The same, or the take may already have been sent. Some messages name options of ioredis that no operator can set. */
const NO_CONNECTION = new RegExp(`${NOT_SENT.source}|max retries per request|Connection is closed|connection close$`)

/** What a node of a cluster answers to a client that treats it as a single server. */
const ONE_OF_CLUSTER = /^(CROSSSLOT|MOVED|ASK) /

/** What Redis says with the code `ERR` when its user may not run a command of a script: before 7.2, and since then. */
const DENIED_IN_SCRIPT = /^ERR (The user executing the script can't run this command|ACL failure in script)/

/**
 * Where in the script an error happened; Valkey 9.1 leaves out some of it. It is removed, so that one reason is not
 * reported once for each place.
 */
const PLACE_IN_SCRIPT = /( script:( [0-9a-f]{40},)?)? on @?user_script:\d+\.?$/

/** What the failure of a command means for a take. */
export function toStoreUnavailable (cause: unknown): StoreUnavailable {
  const { name, message: said } = cause instanceof Error ? cause : new Error(String(cause))
  const message = said.replace(PLACE_IN_SCRIPT, '')
  // A take that Redis answered with an error, or that was not sent, did not count.
  const mayHaveCounted = name !== 'ReplyError' && !NOT_SENT.test(message)
  return new StoreUnavailable(explained(name, message), { cause, reason: reasonOf(name, message), mayHaveCounted })
}

/** Whether Redis refuses this command, and decides takes. In any other failure takes fail as well. */
export const isCommandRefused = ({ reason }: StoreUnavailable): boolean =>
  ['ERR', 'NOPERM', 'WRONGTYPE'].includes(reason)

function reasonOf (name: string, message: string): string {
  if (name === BadReply.name) return 'bad_reply'
  if (DENIED_IN_SCRIPT.test(message)) return 'NOPERM'
  if (name === 'ReplyError') return /^[A-Z]{1,20}\b/.exec(message)?.[0] ?? 'unknown'
  if (/Cluster redirections/.test(message)) return 'MOVED'
  return NO_CONNECTION.test(message) ? 'no_connection' : 'no_reply'
}

function explained (name: string, message: string): string {
  if (name === BadReply.name) return `Redis, or a proxy in front of it, answers nonsense: ${message}`
  if (NO_CONNECTION.test(message)) return 'Redis does not answer: there is no connection that is ready'
  if (ONE_OF_CLUSTER.test(message)) {
    return `REDIS_URL names one node of a cluster: name several, comma-separated (${message})`
  }
  return `Redis ${name === 'ReplyError' ? 'refuses' : 'does not answer'}: ${message}`
}

import { StoreUnavailable } from '../bucket/bucket.js'
import { BadReply } from './replies.js'

/* What it means that a command of Redis failed. */

/** What ioredis says when it has no connection to send a take over. */
const NOT_SENT = /Stream isn't writeable|Cluster isn't ready/
/** The same, or the take may already have been sent. Some messages name options of ioredis that no operator can set. */
const NO_CONNECTION = new RegExp(`${NOT_SENT.source}|max retries per request|Connection is closed|connection close$`)

/**
 * What servers answer that have their keys in several places behind one address, before they run a script: Redis
 * Enterprise (Redis Cloud, Azure) and ElastiCache Serverless.
 */
const FOR_ONE_KEY = /^(CROSSSLOT |ERR .*(without any input keys|number of keys can't be))/

/** Whether a server runs a script only over one key that it declares. Nothing of this call was done. */
export const isForOneKey = ({ cause }: StoreUnavailable): boolean =>
  cause instanceof Error && cause.name === 'ReplyError' && FOR_ONE_KEY.test(cause.message)

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

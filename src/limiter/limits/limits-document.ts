import { readFileSync } from 'node:fs'
import type { Cluster, Redis } from 'ioredis'
import { Type, type Static } from 'typebox'
import { announce, LIMITS_CHANGED } from '../redis/announcements.js'
import { toStoreUnavailable } from '../redis/failures.js'
import { networkText, parseNetwork } from '../../base/networks.js'
import { overlayLimits, type Limits } from './policies.js'
import { validateLimitsFile, removeUnknownPolicies } from './limits-file.js'
import { Faults, readJson } from '../../base/read-json.js'
import { schemaFaults } from '../../base/schema-faults.js'
import type { LimitsFile } from './row-schema.js'

/*
 * Limits that are set at run time are one JSON document in Redis. Its `limits` hold the rows that were set, and each of
 * these takes the place of the row of a replica's LIMITS_FILE. In a cluster, document and history may be on two nodes.
 */

const KEY = 'gatehouse:limits'
/** The last documents, newest first. */
const HISTORY_KEY = 'gatehouse:limits:history'
export const MAX_HISTORY = 100

/** Replicas read the document with every heartbeat, so it must not grow without a bound. */
export const MAX_LENGTH = 50_000
const MAX_VERSION = 1_000_000_000

const changeLimits = readFileSync(new URL(import.meta.resolve('#lua/change-limits.lua')), 'utf8')

const text = Type.String({ fault: 'must be a text' })
const DocumentSchema = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: MAX_VERSION, fault: `must be a whole number from 1 to ${MAX_VERSION}` }),
  at: text,
  by: text,
  why: Type.Optional(text),
  what: text,
  limits: Type.Object({}, { fault: 'must be an object' })
}, { fault: 'must be an object' })

/** `at` is ISO 8601, by Redis's clock. `what` is the edit, in the words of the command. */
export type LimitsDocument = Static<typeof DocumentSchema> & { limits: LimitsFile }

/** A document, its text, and the limits that it puts in force. */
export interface ParsedLimits { text: string, document: LimitsDocument, limits: Limits }

/** @throws {Faults} with every fault of the text */
export function parseLimitsText (text: string, base: Limits): ParsedLimits {
  const document = parseDocument(text)
  const known = parseDocument(text).limits
  removeUnknownPolicies(known, base)
  const limits = overlayLimits(base, validateLimitsFile(known, Object.keys(base.policies), base.clients, 'limits'))
  const { networks } = document.limits
  if (networks) document.limits.networks = Object.fromEntries(Object.entries(networks).map(canonical))
  return { text, document, limits }
}

const canonical = <Rows>([text, rows]: [string, Rows]): [string, Rows] => [networkText(parseNetwork(text)), rows]

function parseDocument (text: string): LimitsDocument {
  const { value } = readJson(text)
  const faults = schemaFaults(DocumentSchema, value, 'the document')
  if (faults.length > 0) throw new Faults(faults)
  return value as LimitsDocument
}

/** @returns undefined if nothing is set. @throws {StoreUnavailable} */
export async function readLimitsText (redis: Redis | Cluster): Promise<string | undefined> {
  return await orUnavailable(redis.get(KEY)) ?? undefined
}

/**
 * @returns what is set at run time; undefined if nothing is
 * @throws {StoreUnavailable}
 * @throws {Faults} if somebody has written what replicas do not read
 */
export async function readLimits (redis: Redis | Cluster, base: Limits): Promise<ParsedLimits | undefined> {
  const text = await readLimitsText(redis)
  try {
    return text === undefined ? undefined : parseLimitsText(text, base)
  } catch (error) {
    if (!(error instanceof Faults)) throw error
    const next = `${KEY} is not valid, and replicas keep the last valid limits. DEL it: a replica puts them back`
    throw new Faults([next, ...error.faults])
  }
}

/**
 * The limits in force on every replica that was started with these, their version, what was set at run time, and the
 * last change in words.
 *
 * @throws as `readLimits`
 */
export async function readLimitsInForce (
  redis: Redis | Cluster, base: Limits
): Promise<{ limits: Limits, version: number, set: LimitsFile, lastChange?: string }> {
  const { limits = base, document } = await readLimits(redis, base) ?? {}
  if (!document) return { limits, version: 0, set: {} }
  return { limits, version: document.version, set: document.limits, lastChange: textOfChange(document) }
}

/** Which change made a version, by whom, when and why. */
const textOfChange = ({ version, by, at, what, why }: LimitsDocument): string =>
  `version ${version}, by ${by} at ${at}: ${what}${why === undefined ? '' : ` (${why})`}`

/** The last documents, newest first. @throws {StoreUnavailable} */
export async function readHistory (redis: Redis | Cluster, count = MAX_HISTORY): Promise<LimitsDocument[]> {
  const [current, past] = await orUnavailable(Promise.all([redis.get(KEY), redis.lrange(HISTORY_KEY, 0, count - 1)]))
  // Whoever wrote the current document may have ended before it was added to the history.
  const texts = new Set(current === null || past.includes(current) ? past : [current, ...past])
  return [...texts].flatMap((text) => {
    try {
      return parseDocument(text)
    } catch {
      return []
    }
  })
}

/**
 * Sets the document, if its text is still the former one.
 *
 * @returns whether it was
 * @throws {StoreUnavailable}
 */
export async function setLimitsText (
  redis: Redis | Cluster, former: string | undefined, text: string
): Promise<boolean> {
  if (await orUnavailable(redis.eval(changeLimits, 1, KEY, former ?? '', text)) !== 1) return false
  // The document is set, whether or not the rest succeeds. The next change adds it to the history if it is missing, and
  // a replica that misses the message reads the document with its next heartbeat.
  await addToHistory(redis, former, text).catch(() => {})
  await announce(redis, LIMITS_CHANGED).catch(() => {})
  return true
}

async function addToHistory (redis: Redis | Cluster, former: string | undefined, text: string): Promise<void> {
  const [head] = await redis.lrange(HISTORY_KEY, 0, 0)
  await redis.lpush(HISTORY_KEY, ...former === undefined || former === head ? [text] : [former, text])
  await redis.ltrim(HISTORY_KEY, 0, MAX_HISTORY - 1)
}

/** Failures of Redis become `StoreUnavailable`. */
async function orUnavailable<T> (reply: Promise<T>): Promise<T> {
  return await reply.catch((error) => { throw toStoreUnavailable(error) })
}

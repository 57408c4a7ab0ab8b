import { tracingChannel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import bcrypt from 'bcrypt'
import pLimit from 'p-limit'

/** bcrypt reads no further, so a longer password would be cut in silence. */
export const MAX_PASSWORD_BYTES = 72

/** Hashes that may wait for each one in progress: about four seconds at cost 12. */
const QUEUE_PER_HASH = 16

/** A hash of this cost takes seconds. */
export const MAX_COST = 16

/** bcrypt's own format; a cost above 16 (seconds a compare) is damage or an attack on our processors. */
const USABLE_HASH = /^\$2[ab]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/

/** Each comparison or hash, its turn in the queue included, reported for traces. */
export const hashes = tracingChannel<unknown, object>('gatehouse:hash')

/** Too many hashes wait already. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull'

  constructor () {
    super('too many passwords are being hashed')
  }
}

/** How long the costs in use are believed, in ms; a failure that needs them after that reads them again. */
const COSTS_VALID_MS = 30_000
/**
 * A failure takes a tenth longer than 90 % of the last comparisons would have at the dearest cost, and up to a tenth
 * more.
 */
const RECENT = 32
const QUANTILE = 0.9
const [MARGIN, JITTER] = [0.1, 0.1]
/** Ends a wait below the time in which the service drains, even on a machine where the dearest cost takes longer. */
const MAX_FAILURE_MS = 5000

/** How many accounts have hashes of a cost above the configured one. */
export type CostlierHashes = Array<{ cost: number, accounts: number }>

export interface Passwords {
  /**
   * A failure takes the same time for no hash, one that is damaged, and one of any cost that is in use: after its own
   * comparison it waits until one of the dearest cost would have ended. A success never waits.
   *
   * @param hash what is stored of the user; undefined or null without one, or if they may not log in
   * @param onCompared called when only the wait of a failure is left, which keeps no processor busy
   * @throws {HashQueueFull}
   */
  verify: (password: string, hash: string | null | undefined, onCompared?: () => void) => Promise<boolean>
  /** @throws {HashQueueFull} */
  hash: (password: string) => Promise<string>
  /** Whether a hash should be made anew because the configured cost has changed. */
  outdated: (hash: string) => boolean
  /** Learns which costs are in use, if that is not known. */
  learnCosts: () => Promise<void>
  /** Ends every wait, now and later. */
  close: () => void
  /** How many wait for their turn. */
  waiting: () => number
  /** Whether so many wait that the next one would be refused. */
  full: () => boolean
  /** How many can be hashed and wait together. */
  room: number
}

export interface PasswordsOptions {
  /** bcrypt's cost for new hashes. */
  cost: number
  /** Hashes computed at a time; each keeps one thread of libuv's pool. */
  concurrency: number
  /** Asked now and then; without it no hash is costlier than `cost`, until one is met. */
  costlierHashes?: () => Promise<CostlierHashes>
  /** Told when the dearest cost above `cost` is another one than before; an empty list if there is none any more. */
  onCostlier?: (found: CostlierHashes, failureMs: number) => void
  /** Told how long each comparison or hash took, its turn in the queue included, but not a wait after it. */
  onDone?: (seconds: number) => void
}

export async function createPasswords (
  { cost, concurrency, costlierHashes = async () => [], onCostlier = () => {}, onDone = () => {} }: PasswordsOptions
): Promise<Passwords> {
  const limit = pLimit(concurrency)
  const template = await bcrypt.hash('decoy', 4)
  yieldToOthers()
  const decoy = template.replace('$04$', `$${String(cost).padStart(2, '0')}$`)
  const closing = new AbortController()
  // Each wait listens, and there are as many as failures.
  setMaxListeners(0, closing.signal)

  let dearest = cost
  let told = cost
  let learnedAtMs = -Infinity
  let learning: Promise<void> | undefined

  /** How long the last comparisons took, divided by 2 to the power of their cost. */
  const unitsMs: number[] = []

  const full = (): boolean => limit.pendingCount >= concurrency * QUEUE_PER_HASH

  async function queued<T> (work: () => Promise<T>): Promise<T> {
    if (full()) throw new HashQueueFull()
    const startedMs = performance.now()
    const result = await hashes.tracePromise(() => limit(work), {})
    onDone((performance.now() - startedMs) / 1000)
    return result
  }

  /** Not from its place in the queue on: that is as long for one hash as for another. */
  async function compare (password: string, hash: string): Promise<{ matches: boolean, startedMs: number }> {
    return await queued(async () => {
      const startedMs = performance.now()
      const matches = await bcrypt.compare(password, hash)
      unitsMs.push((performance.now() - startedMs) / 2 ** costOf(hash))
      if (unitsMs.length > RECENT) unitsMs.shift()
      // A hash cheaper than a decoy keeps its turn as long as a decoy does. Else others, who wait for it, could tell.
      if (!matches && costOf(hash) < cost) await until(startedMs + unitMs(0.5) * 2 ** cost)
      return { matches, startedMs }
    })
  }

  /** The service does not wait for it when it stops. */
  async function until (timeMs: number): Promise<void> {
    await setTimeout(Math.max(0, timeMs - performance.now()), undefined, { signal: closing.signal }).catch(() => {})
  }

  const unitMs = (quantile: number): number =>
    [...unitsMs].sort((a, b) => a - b)[Math.floor(quantile * unitsMs.length)] ?? 0

  const failureMs = (): number => Math.min(unitMs(QUANTILE) * 2 ** dearest * (1 + MARGIN), MAX_FAILURE_MS)

  /** One query for all that wait for it; while the database does not answer, what was known last holds. */
  function learnCosts (): Promise<void> {
    if (performance.now() - learnedAtMs < COSTS_VALID_MS) return Promise.resolve()
    return (learning ??= costlierHashes().then((found) => {
      learnedAtMs = performance.now()
      dearest = Math.max(cost, ...found.map(({ cost }) => cost))
      if (dearest !== told) onCostlier(found, failureMs())
      told = dearest
    }, () => {}).finally(() => { learning = undefined }))
  }

  return {
    async verify (password, hash, onCompared = () => {}) {
      const composed = password.normalize('NFC')
      const usable = typeof hash === 'string' && USABLE_HASH.test(hash) &&
        Buffer.byteLength(composed) <= MAX_PASSWORD_BYTES
      const compared = usable ? hash : decoy
      // Besides the comparison, so that it takes no time of its own.
      const learned = learnCosts()
      const { matches, startedMs } = await compare(composed, compared)
      onCompared()
      if (matches && usable) return true
      await learned
      // One that was stored a moment ago.
      dearest = Math.max(dearest, costOf(compared))
      await until(startedMs + failureMs() * (1 + JITTER * Math.random()))
      return false
    },

    hash (password) {
      return queued(() => bcrypt.hash(password.normalize('NFC'), cost))
    },

    outdated (hash) {
      return costOf(hash) !== cost
    },

    learnCosts,

    close () {
      closing.abort()
    },

    waiting () {
      return limit.pendingCount
    },

    full,
    room: concurrency * (1 + QUEUE_PER_HASH)
  }
}

/**
 * libuv's threads, which hash, get a processor after the thread that answers requests, so that others hardly notice a
 * flood of logins, even where it has all processors. This needs a system that schedules each thread by itself and a
 * Node that names them (Linux, Node 24); elsewhere all are equal.
 */
function yieldToOthers (): void {
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
    }
  } catch {}
}

function costOf (hash: string): number {
  return Number(hash.slice(4, 6))
}

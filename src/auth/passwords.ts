import { tracingChannel } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import bcrypt from 'bcrypt'
import pLimit, { type LimitFunction } from 'p-limit'
import { CostsInUse, type CostlierHashes } from './hash-costs.js'
import { asOurs, costOf, isForeign } from './stored-hash.js'

/** bcrypt reads no more bytes. We refuse a longer password; other systems hash what bcrypt reads of it. */
export const MAX_PASSWORD_BYTES = 72

/** How many hashes may wait for each one in progress. At cost 12 this is a wait of about four seconds. */
const QUEUE_PER_HASH = 16

/** Reports each comparison or hash for traces, including its time in the queue. */
export const hashesChannel = tracingChannel<unknown, object>('gatehouse:hash')

/** Too many hashes are already waiting. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull'

  constructor () {
    super('too many passwords are being hashed')
  }
}

/**
 * How many comparisons are remembered. A failure takes 10 % longer than the 90th percentile of these at the highest
 * cost, plus up to 10 % jitter.
 */
const RECENT = 32
const QUANTILE = 0.9
const [MARGIN, JITTER] = [0.1, 0.1]
/**
 * A failure waits until at most this long after the start of its comparison, plus jitter. This is shorter than the
 * drain time of the service, even if the highest cost takes longer.
 */
const MAX_FAILURE_MS = 5000

interface PasswordsOptions {
  /** bcrypt's cost for new hashes. */
  cost: number
  /** How many hashes are computed at a time. Each needs one thread of libuv's pool. */
  concurrency: number
  /** Called now and then. Without it, no hash counts as costlier than `cost` until one is compared. */
  costlierHashes?: () => Promise<CostlierHashes>
  /** Called when the highest cost above `cost` changes; with an empty list if there is none any more. */
  onCostlier?: (found: CostlierHashes, failureMs: number) => void
  /**
   * Called with the duration of each comparison or hash, including its time in the queue but not the wait of a failure.
   */
  onDone?: (seconds: number) => void
}

export async function createPasswords (options: PasswordsOptions): Promise<Passwords> {
  const template = await bcrypt.hash('decoy', 4)
  yieldToOthers()
  return new Passwords(options, template)
}

export class Passwords {
  /** How many hashes can be in progress or waiting. */
  readonly room: number
  readonly #limit: LimitFunction
  /** Of hashes of the configured cost. */
  readonly #beginning: string
  /** The hash that is compared if there is none. */
  readonly #decoy: string
  readonly #costs: CostsInUse
  /** The durations of the last comparisons, divided by 2 to the power of their cost. */
  readonly #unitsMs: number[] = []
  readonly #closing = new AbortController()

  /** @param template any hash */
  constructor (private readonly options: PasswordsOptions, template: string) {
    const { cost, concurrency, costlierHashes = async () => [], onCostlier } = options
    this.room = concurrency * (1 + QUEUE_PER_HASH)
    this.#limit = pLimit(concurrency)
    this.#beginning = `$2b$${String(cost).padStart(2, '0')}$`
    this.#decoy = this.#beginning + template.slice(this.#beginning.length)
    this.#costs = new CostsInUse(cost, costlierHashes, found => onCostlier?.(found, this.#failureMs()))
    // Each waiting failure adds a listener, and there can be many.
    setMaxListeners(0, this.#closing.signal)
  }

  /**
   * Other systems hashed a password as it was typed, so such a hash is compared with that, too: NFC changes some
   * letters of Hindi. How many comparisons there are depends on the password alone.
   *
   * A failure takes the same time whether there is no hash, a damaged one, or one of any cost in use. After its own
   * comparison, it waits until a comparison of the highest cost would have ended. A success never waits.
   *
   * @param hash the user's stored hash; undefined or null if there is no such user, or if they may not log in
   * @param onCompared called when only the wait of a failure is left, which uses no CPU
   * @throws {HashQueueFull}
   */
  async verify (password: string, hash: string | null | undefined, onCompared?: () => void): Promise<boolean> {
    const composed = password.normalize('NFC')
    const ours = isShort(composed) || isForeign(hash) ? asOurs(hash) : undefined
    // This runs in parallel with the comparison, so that it adds no time.
    const learned = this.learnCosts()
    for (const form of new Set([composed, password])) {
      const usable = form === composed || isForeign(hash) ? ours : undefined
      const compared = usable ?? this.#decoy
      const { matches, startedMs } = await this.#compare(form, compared)
      if (matches && usable) return true
      if (form === password) onCompared?.()
      await learned
      // This hash may have been stored after the costs were read.
      this.#costs.seen(costOf(compared))
      await this.#until(startedMs + this.#failureMs() * (1 + JITTER * Math.random()))
    }
    return false
  }

  /** @throws {HashQueueFull} */
  hash (password: string): Promise<string> {
    return this.#queued(() => bcrypt.hash(password.normalize('NFC'), this.options.cost))
  }

  /**
   * Whether the hash of this password should be renewed: the configured cost has changed, or another system wrote it.
   * It cannot be if the password is longer than ours may be.
   */
  needsRehash (hash: string, password: string): boolean {
    return !hash.startsWith(this.#beginning) && isShort(password.normalize('NFC'))
  }

  /** Reads which costs are in use, if that is not known. */
  learnCosts (): Promise<void> {
    return this.#costs.learn()
  }

  /** Ends all current waits, and prevents new ones. */
  close (): void {
    this.#closing.abort()
  }

  /** How many hashes are waiting. */
  waiting (): number {
    return this.#limit.pendingCount
  }

  /** Whether the queue is full, so that the next hash would be refused. */
  full (): boolean {
    return this.waiting() >= this.options.concurrency * QUEUE_PER_HASH
  }

  async #queued<T> (work: () => Promise<T>): Promise<T> {
    if (this.full()) throw new HashQueueFull()
    const startedMs = performance.now()
    const result = await hashesChannel.tracePromise(() => this.#limit(work), {})
    this.options.onDone?.((performance.now() - startedMs) / 1000)
    return result
  }

  /** The time in the queue is not measured, because it does not depend on the hash. */
  async #compare (password: string, hash: string): Promise<{ matches: boolean, startedMs: number }> {
    const { cost } = this.options
    return await this.#queued(async () => {
      const startedMs = performance.now()
      const matches = await bcrypt.compare(password, hash)
      this.#unitsMs.push((performance.now() - startedMs) / 2 ** costOf(hash))
      if (this.#unitsMs.length > RECENT) this.#unitsMs.shift()
      // A hash cheaper than a decoy occupies its place as long as a decoy does. Otherwise other clients that wait in
      // the queue could notice the difference.
      if (!matches && costOf(hash) < cost) await this.#until(startedMs + this.#unitMs(0.5) * 2 ** cost)
      return { matches, startedMs }
    })
  }

  /** Waits until a time, or until the service stops. */
  async #until (timeMs: number): Promise<void> {
    const { signal } = this.#closing
    await setTimeout(Math.max(0, timeMs - performance.now()), undefined, { signal }).catch(() => {})
  }

  #unitMs (quantile: number): number {
    return [...this.#unitsMs].sort((a, b) => a - b)[Math.floor(quantile * this.#unitsMs.length)] ?? 0
  }

  #failureMs (): number {
    return Math.min(this.#unitMs(QUANTILE) * 2 ** this.#costs.highest * (1 + MARGIN), MAX_FAILURE_MS)
  }
}

/**
 * Lowers the priority of libuv's threads, which compute hashes, below the thread that answers requests. So a flood of
 * logins hardly affects other requests, even if it uses all CPUs. This needs a system with priorities for single
 * threads and a Node that names its threads (Linux, Node 24). Elsewhere all threads have the same priority.
 */
function yieldToOthers (): void {
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
    }
  } catch {}
}

const isShort = (composed: string): boolean => Buffer.byteLength(composed) <= MAX_PASSWORD_BYTES

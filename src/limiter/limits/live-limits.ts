import type { Cluster, Redis } from 'ioredis'
import { StoreUnavailable } from '../bucket/bucket.js'
import type { DetailsLog } from '../../base/log.js'
import { isCommandRefused } from '../redis/failures.js'
import {
  parseLimitsText, readLimitsText, setLimitsText, type LimitsDocument, type ParsedLimits
} from './limits-document.js'
import type { Limits } from './policies.js'
import { Faults } from '../../base/read-json.js'

/** The limits that are in force in this process. Code that caches anything derived from them has to use `onChange`. */
export class LiveLimits implements Limits {
  #reading: ParsedLimits | undefined
  readonly #listeners: Array<() => void> = []

  /** @param base LIMITS_FILE and the defaults */
  constructor (public base: Limits) {}

  get #inForce (): Limits { return this.#reading?.limits ?? this.base }
  get policies (): Limits['policies'] { return this.#inForce.policies }
  get networks (): Limits['networks'] { return this.#inForce.networks }
  get clients (): Limits['clients'] { return this.base.clients }
  /** What was set at run time. */
  get document (): LimitsDocument | undefined { return this.#reading?.document }
  /** The text of this document, as it is stored in Redis. */
  get text (): string | undefined { return this.#reading?.text }
  /** The version of what was set at run time; 0 for nothing. */
  get version (): number { return this.document?.version ?? 0 }

  /** @param listener called after each change */
  onChange (listener: () => void): void { this.#listeners.push(listener) }

  adopt (reading: ParsedLimits): void {
    this.#reading = reading
    for (const listener of this.#listeners) listener()
  }

  /** Puts other limits under those that were set at run time. @throws {Faults} if these do not fit on them */
  rebase (base: Limits): void {
    this.#reading = this.#reading && parseLimitsText(this.#reading.text, base)
    this.base = base
    for (const listener of this.#listeners) listener()
  }
}

/** More faults of a text are not logged. */
const MAX_FAULTS = 20
const LAST = 'the last valid ones are in force'

/**
 * Keeps the limits of this process equal to those in Redis.
 *
 * @param onDefect called with an error that is not a failure of Redis. The next look tries again
 * @returns a function that looks for changes. Its promise resolves after they are adopted, and never rejects
 */
export function followLimits (
  redis: Redis | Cluster, live: LiveLimits, log: DetailsLog, onDefect: (defect: Error) => void
): () => Promise<void> {
  /** The last text that was not valid. */
  let broken: string | undefined
  let unread = false
  let looking: Promise<void> | undefined
  let again = false

  async function look (): Promise<void> {
    try {
      const text = await readLimitsText(redis)
      if (text !== live.text && (text === undefined || text !== broken)) await follow(text)
      unread = false
    } catch (error) {
      if (error instanceof StoreUnavailable) reportUnread(error)
      else if (error instanceof Faults) {
        const faults = error.faults.slice(0, MAX_FAULTS)
        log.warn({ code: 'limits_broken', faults }, `what somebody wrote as limits is not valid: ${LAST}`)
      } else onDefect(error as Error)
    }
  }

  async function follow (text: string | undefined): Promise<void> {
    broken = text
    const reading = text === undefined ? undefined : parseLimitsText(text, live.base)
    broken = undefined
    const { version } = live
    if (!reading || reading.document.version < version) return await putBack(text, reading?.document.version ?? 0)
    live.adopt(reading)
    const { document: { version: now, by, why, what } } = reading
    log.info({ code: 'limits_changed', version: now, by, why }, `limits of version ${now} are in force: ${what}`)
  }

  async function putBack (text: string | undefined, lostTo: number): Promise<void> {
    const { version } = live
    if (!await setLimitsText(redis, text, live.text!)) return
    const message = `Redis had lost version ${version} of the limits: it has it again`
    log.warn({ code: 'limits_restored', version, lostTo }, message)
  }

  function reportUnread (err: StoreUnavailable): void {
    // If the connection is lost, the limiter reports that.
    if (unread || !isCommandRefused(err)) return
    unread = true
    log.warn({ code: 'limits_unread', err }, `limits that were set at run time cannot be read or written: ${LAST}`)
  }

  return async function refresh () {
    again = true
    // Changes that come meanwhile are found by another look.
    looking ??= (async () => {
      while (again) {
        again = false
        await look()
      }
    })().finally(() => { looking = undefined })
    await looking
  }
}

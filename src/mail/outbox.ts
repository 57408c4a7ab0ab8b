import { setTimeout as setTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import type { RawQueries } from '../database/database.js'
import { watchOwnTrouble } from '../database/own-trouble.js'
import type { PrismaClient } from '../../prisma/client.js'
import { Delivery, type DeliveryOptions } from './delivery.js'
import { AT_ONCE, claim, isAnyDue } from './mails.js'
import { resolveRequests } from './reset-requests.js'

/**
 * How long a delivery may take after the service begins to stop. A mail whose delivery ends then is sent again, perhaps
 * for the second time.
 */
const LAST_DELIVERY_MS = 5000
const POLL_MS = 1000

interface OutboxOptions extends DeliveryOptions {
  /** Whether the database is reachable. While it is not, the outbox reports no trouble of its own. */
  isReachable?: () => boolean
  /** Called with the outbox's own trouble, and without an error when it is over. */
  onTrouble?: (error?: Error) => void
}

/** Sends the mails that are due, one after the other, including those of other replicas. */
export class Outbox {
  readonly #db: PrismaClient
  readonly #polls: RawQueries
  readonly #options: OutboxOptions
  readonly #closing = new AbortController()
  readonly #timeUp = new AbortController()
  readonly #delivery: Delivery
  readonly #working: Promise<void>
  #stopped: Promise<void> | undefined

  /** Begins at once. */
  constructor (db: PrismaClient, polls: RawQueries, options: OutboxOptions) {
    this.#db = db
    this.#polls = polls
    this.#options = options
    this.#delivery = new Delivery(db, options, this.#timeUp.signal)
    this.#working = this.#work()
  }

  /** No further delivery begins. It resolves when the current delivery has ended. */
  async stop (): Promise<void> {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  get #isClosing (): boolean {
    return this.#closing.signal.aborted
  }

  async #work (): Promise<void> {
    const { log, isReachable = () => true, onTrouble } = this.#options
    const trouble = watchOwnTrouble(() => isReachable() && !this.#isClosing, (error) => {
      onTrouble?.(error)
      if (error) log.warn({ code: 'outbox_unavailable', err: error }, 'the outbox cannot be read: mails wait')
      else log.info({ code: 'outbox_recovered' }, 'the outbox can be read again')
    })
    while (!this.#isClosing) {
      // The worker polls and never starts right after a request: the work for an existing account must not slow down
      // the next request.
      await setTimeout(POLL_MS * (0.5 + Math.random()), undefined, { signal: this.#closing.signal }).catch(() => {})
      try {
        await this.#sendAllDue()
        trouble.succeeded()
      } catch (error) {
        trouble.failed(error)
      }
    }
  }

  async #sendAllDue (): Promise<void> {
    await this.#delivery.recordSent()
    if (this.#isClosing) return
    if (!await isAnyDue(this.#polls)) return
    while (!this.#isClosing) {
      // All requests are resolved first, so that no mail waits behind requests for accounts that do not exist.
      while (await resolveRequests(this.#db) === AT_ONCE && !this.#isClosing);
      if (this.#isClosing) return
      const claimed = await claim(this.#db, this.#delivery.server)
      if (claimed.length === 0) return
      await this.#delivery.deliver(claimed)
    }
  }

  async #stop (): Promise<void> {
    this.#closing.abort()
    const timer = setTimer(() => this.#timeUp.abort(new Error('the service stops')), LAST_DELIVERY_MS)
    await this.#working
    clearTimeout(timer)
  }
}

import type { Cluster, Redis } from 'ioredis'
import { StoreUnavailable } from '../bucket/bucket.js'
import { formerLimits, type WithFormer } from '../layers/former-limits.js'
import { isBuiltOn, MAX_HISTORY, noState, readOther, readState, writeBack, type LimitsState } from './document.js'
import { editLimits, type Author, type Edit, type Edited } from './edits.js'
import type { StoreLog } from '../notices.js'
import { overridden } from './overrides.js'
import type { Limits } from './policies.js'

/** The limits that are in force in this process. Code that caches anything derived from them has to use `onChange`. */
export interface LiveLimits extends Limits {
  /** The limits that the process was started with: LIMITS_FILE and the defaults. */
  readonly base: Limits
  /** What was changed on every replica since: the version, the overrides, and their history. */
  readonly state: LimitsState
  /** @param listener called after each change */
  onChange: (listener: () => void) => void
  /**
   * Changes the limits of every replica.
   *
   * @param what the edit in words, for the history
   * @throws {LimitsError} with every fault of the edit, or because there is no Redis
   */
  edit: (edit: Edit, what: string, author: Author) => Promise<Edited>
}

export interface AdoptableLimits extends LiveLimits {
  adopt: (limits: Limits, state: LimitsState) => void
}

export function liveLimits (base: Limits, edit: LiveLimits['edit']): AdoptableLimits {
  let inForce = base
  let state = noState
  const listeners: Array<() => void> = []
  return {
    base,
    edit,
    get policies () { return inForce.policies },
    get networks () { return inForce.networks },
    get state () { return state },
    onChange (listener) { listeners.push(listener) },
    adopt (limits, newState) {
      inForce = limits
      state = newState
      for (const listener of listeners) listener()
    }
  }
}

/**
 * The limits that are in force on every replica that was started with these, and their version; 0 if nothing was set.
 * `withFormer` adds the former refills that may have written a bucket.
 *
 * @param onBroken called with the faults of a policy's overrides. Replicas keep the last valid limits of that policy
 * @throws {StoreUnavailable}
 */
export async function limitsIn (
  redis: Redis | Cluster, base: Limits, onBroken?: (policy: string, faults: string[]) => void
): Promise<{ limits: Limits, version: number, withFormer: WithFormer }> {
  const { version, fields, history } = await readState(redis)
  const limits = overridden(base, fields, undefined, onBroken)
  return { limits, version, withFormer: formerLimits({ history }, base) }
}

export const editIn = (redis: Redis | Cluster, base: Limits): LiveLimits['edit'] =>
  (edit, what, author) => editLimits(redis, base, edit, what, author)

const UNREAD = 'limits that were set at run time cannot be read or written: the last ones that were read are in force'

/**
 * Keeps the limits of this process equal to those in Redis.
 *
 * @param live the limits to keep up to date
 * @param settle called before other limits are adopted; returns when they may be
 * @param onError called with a defect, once while its message stays the same. The next look tries again
 * @returns a function that looks for changes. Its promise resolves after they are adopted, and never rejects
 */
export function followLimits (
  redis: Redis | Cluster, live: AdoptableLimits, log: StoreLog,
  settle: (limits: Limits, version: number) => Promise<void>, onError: (defect: Error) => void
): () => Promise<void> {
  const good: Parameters<typeof overridden>[2] = new Map()
  const broken = new Map<string, string>()
  let unread = false
  let reported: string | undefined
  let looking: Promise<void> | undefined
  let again = false

  async function look (): Promise<void> {
    try {
      const read = await readOther(redis, live.state.tag)
      if (read) await follow(read)
      unread = false
      reported = undefined
    } catch (error) {
      if (error instanceof StoreUnavailable) reportUnread(error)
      else reportDefect(error as Error)
    }
  }

  function reportUnread (err: StoreUnavailable): void {
    // If the connection is lost, the limiter reports that.
    if (!REFUSALS.includes(err.reason)) return
    if (!unread) log.warn({ code: 'limits_unread', err }, UNREAD)
    unread = true
  }

  /** The same defect would be reported with each heartbeat. */
  function reportDefect (defect: Error): void {
    if (defect.message !== reported) onError(defect)
    reported = defect.message
  }

  async function follow (read: LimitsState): Promise<void> {
    const { version } = live.state
    if (read.version < version) {
      const done = await writeBack(redis, read, live.state)
      const text = `Redis had lost version ${version} of the limits: it has it again`
      if (done) log.warn({ code: 'limits_restored', version, lostTo: read.version }, text)
      return
    }
    reportReplaced(read)
    const limits = overridden(live.base, read.fields, good, (policy, faults) => report(policy, faults, read))
    await settle(limits, read.version)
    live.adopt(limits, read)
    const [newest] = read.history
    log.info(
      { code: 'limits_changed', version: read.version, by: newest?.by, why: newest?.why },
      `limits of version ${read.version} are in force: ${newest?.what ?? 'no history'}`
    )
  }

  /** Reports that Redis lost a change, and that someone made another one before a replica could write it back. */
  function reportReplaced (read: LimitsState): void {
    const { version, tag, history: [newest] } = live.state
    if (newest?.tag !== tag || read.version >= version + MAX_HISTORY || isBuiltOn(read, tag)) return
    const { by, what } = newest
    log.warn(
      { code: 'limits_replaced', version: read.version, lost: { version, by, what } },
      `Redis had lost version ${version} of the limits when others were set, and these are in force: ${what} is undone`
    )
  }

  function report (policy: string, faults: string[], { fields }: LimitsState): void {
    const text = fields.get(policy)!
    if (broken.get(policy) === text) return
    broken.set(policy, text)
    log.warn(
      { code: 'limits_field_broken', policy, faults },
      `the limits that were set for ${policy.slice(0, 100)} are not valid: the last valid ones are in force`
    )
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

/** What Redis answers when it decides takes but refuses this command. In any other failure takes fail as well. */
const REFUSALS = ['ERR', 'NOPERM', 'WRONGTYPE']

import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import bcrypt from 'bcrypt'
import pLimit from 'p-limit'

/** bcrypt reads no further, so a longer password would be cut in silence. */
export const MAX_PASSWORD_BYTES = 72

/** Hashes that may wait for each one in progress: about four seconds at cost 12. */
const QUEUE_PER_HASH = 16

/** bcrypt's own format; a cost above 16 (seconds a compare) is damage or an attack on our processors. */
const USABLE_HASH = /^\$2[ab]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/

/** Too many hashes wait already. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull'

  constructor () {
    super('too many passwords are being hashed')
  }
}

export interface Passwords {
  /**
   * Takes as long for no hash, or one that is damaged or cheaper than others, as for a good one: bcrypt's work doubles
   * with each step of cost, so the comparison is filled up with decoys of each cost from the stored one to the dearest.
   *
   * @param hash what is stored of the user; undefined or null without one
   * @throws {HashQueueFull}
   */
  verify: (password: string, hash: string | null | undefined) => Promise<boolean>
  /** @throws {HashQueueFull} */
  hash: (password: string) => Promise<string>
  /** Whether a hash should be made anew because the configured cost has changed. */
  outdated: (hash: string) => boolean
  /** How many wait for their turn. */
  waiting: () => number
  /** Whether so many wait that the next one would be refused. */
  full: () => boolean
  /** How many can be hashed and wait together. */
  room: number
}

/**
 * @param cost bcrypt's cost for new hashes
 * @param concurrency hashes computed at a time; each keeps one thread of libuv's pool
 * @param onDone told how long each comparison or hash took, its wait included
 */
export async function createPasswords (
  { cost, concurrency, onDone = () => {} }: { cost: number, concurrency: number, onDone?: (seconds: number) => void }
): Promise<Passwords> {
  const limit = pLimit(concurrency)
  // A hash that is dearer than today's, from before the cost was lowered, sets the time that every comparison takes.
  let dearest = cost
  const template = await bcrypt.hash('decoy', 4)
  yieldToOthers()
  const decoy = (cost: number): string => template.replace('$04$', `$${String(cost).padStart(2, '0')}$`)

  const full = (): boolean => limit.pendingCount >= concurrency * QUEUE_PER_HASH

  async function queued<T> (work: () => Promise<T>): Promise<T> {
    if (full()) throw new HashQueueFull()
    const startedMs = performance.now()
    const result = await limit(work)
    onDone((performance.now() - startedMs) / 1000)
    return result
  }

  return {
    verify (password, hash) {
      const composed = password.normalize('NFC')
      const usable = typeof hash === 'string' && USABLE_HASH.test(hash) && Buffer.byteLength(composed) <= MAX_PASSWORD_BYTES
      const compared = usable ? hash : decoy(cost)
      dearest = Math.max(dearest, costOf(compared))
      return queued(async () => {
        const matches = await bcrypt.compare(composed, compared)
        for (let filler = costOf(compared); filler < dearest; filler++) await bcrypt.compare(composed, decoy(filler))
        return matches && usable
      })
    },

    hash (password) {
      return queued(() => bcrypt.hash(password.normalize('NFC'), cost))
    },

    outdated (hash) {
      return costOf(hash) !== cost
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
 * flood of logins, even where it has all processors. This needs a system that schedules each thread by itself and a Node
 * that names them (Linux, Node 24); elsewhere all are equal.
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

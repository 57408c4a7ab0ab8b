import { every } from './every.js'

/**
 * What requests that cost no token have in common. All requests of one kind are summarised in one line every ten
 * seconds.
 */
export interface Kind {
  /** Undefined if the client is not known, and for all clients together when the table is full. */
  client: string | undefined
  policy: string | undefined
  /** The stable code of the refusal, or another fixed word such as PREFLIGHT. It is never client-supplied text. */
  code: string
}

export type Repeats = ReturnType<typeof createRepeatCounter>

const WINDOW_MS = 10_000
const MAX_ENTRIES = 10_000

/**
 * Requests that cost no token can come in any number. They must not fill the log or push other lines out of it.
 *
 * The first request of a kind gets a line at once. Repeats are counted, and summarised in one line every ten seconds. A
 * kind without requests for ten seconds is forgotten. When the table is full, new kinds are counted for all clients
 * together.
 *
 * @param write logs `count` requests of a kind that came in the last `sinceMs` milliseconds
 * @param windowMs how long repeats are counted before they are summarised
 */
export function createRepeatCounter (
  write: (repeats: Kind & { count: number, sinceMs: number }) => void, windowMs = WINDOW_MS
) {
  // A new window goes to the end, so the window of the first entry ends first.
  const entries = new Map<string, Kind & { count: number, sinceMs: number }>()
  const endReports = every(windowMs / 20, () => report(windowMs))

  function add (kind: Kind, count: number): void {
    entries.set(keyOf(kind.client, kind.policy, kind.code), { ...kind, count, sinceMs: performance.now() })
  }

  /** Ends the windows that are at least this old. */
  function report (ageMs: number): void {
    const nowMs = performance.now()
    for (const [key, { count, sinceMs, ...kind }] of entries) {
      if (nowMs - sinceMs < ageMs) return
      entries.delete(key)
      if (count === 0) continue
      write({ ...kind, count, sinceMs: Math.round(nowMs - sinceMs) })
      add(kind, 0)
    }
  }

  return {
    /** @returns true for the first of its kind, which is to be logged now; false for a repeat, which is only counted */
    isFirst (client: string | undefined, policy: string | undefined, code: string): boolean {
      const isNew = !entries.has(keyOf(client, policy, code))
      if (isNew && entries.size < MAX_ENTRIES) {
        add({ client, policy, code }, 0)
        return true
      }
      // There are few policies and codes, and clients cannot add any, so the entries of all clients need no limit.
      const counted = entries.get(keyOf(isNew ? undefined : client, policy, code))
      if (counted) counted.count++
      else add({ client: undefined, policy, code }, 1)
      return false
    },

    /** Writes what has been counted, and stops. */
    close (): void {
      endReports()
      report(0)
    }
  }
}

const keyOf = (client = '', policy = '', code: string): string => `${client} ${policy} ${code}`

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

export interface Repeats {
  /** @returns true for the first of its kind, which is to be logged now; false for a repeat, which is only counted */
  isFirst: (client: string | undefined, policy: string | undefined, code: string) => boolean
  /** Writes what has been counted, and stops. */
  close: () => void
}

interface Entry extends Kind {
  count: number
  /** When counting began. */
  sinceMs: number
}

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
export function countRepeats (
  write: (repeats: Kind & { count: number, sinceMs: number }) => void, windowMs = WINDOW_MS
): Repeats {
  // A new window goes to the end, so the window of the first entry ends first.
  const entries = new Set<Entry>()
  /** The same entries by client. Each client has few of them. */
  const ofClients = new Map<string | undefined, Entry[]>()
  const timer = setInterval(sweep, windowMs / 20).unref()

  function find (client: string | undefined, policy: string | undefined, code: string): Entry | undefined {
    const ofClient = ofClients.get(client)
    if (!ofClient) return undefined
    for (const entry of ofClient) if (entry.policy === policy && entry.code === code) return entry
    return undefined
  }

  function add (client: string | undefined, policy: string | undefined, code: string, count: number): void {
    const entry = { client, policy, code, count, sinceMs: performance.now() }
    entries.add(entry)
    const ofClient = ofClients.get(client)
    if (ofClient) ofClient.push(entry)
    else ofClients.set(client, [entry])
  }

  function remove (entry: Entry): void {
    entries.delete(entry)
    const others = ofClients.get(entry.client)!.filter(other => other !== entry)
    if (others.length > 0) ofClients.set(entry.client, others)
    else ofClients.delete(entry.client)
  }

  function sweep (): void {
    const nowMs = performance.now()
    for (const entry of entries) {
      if (nowMs - entry.sinceMs < windowMs) return
      remove(entry)
      if (entry.count === 0) continue
      report(entry, nowMs)
      add(entry.client, entry.policy, entry.code, 0)
    }
  }

  function report ({ sinceMs, ...entry }: Entry, nowMs: number): void {
    write({ ...entry, sinceMs: Math.round(nowMs - sinceMs) })
  }

  return {
    isFirst (client, policy, code) {
      const known = find(client, policy, code)
      if (known) {
        known.count++
        return false
      }
      if (entries.size < MAX_ENTRIES) {
        add(client, policy, code, 0)
        return true
      }
      // There are few policies and codes, and clients cannot add any, so these entries need no limit.
      const others = find(undefined, policy, code)
      if (others) others.count++
      else add(undefined, policy, code, 1)
      return false
    },

    close () {
      clearInterval(timer)
      const nowMs = performance.now()
      for (const entry of entries) if (entry.count > 0) report(entry, nowMs)
      entries.clear()
      ofClients.clear()
    }
  }
}

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ended } from '../limiter/fleet/ended.js'

/** One shift, so that operators need not sign in again during an incident. */
const LIFE_MS = 8 * 3_600_000
/** How far the clocks of two replicas may differ. */
const CLOCK_TOLERANCE_MS = 60_000

export interface Session {
  /** In ms since 1970. */
  endsAt: number
  /** Its name in the set of what ended before its time. */
  name: string
}

/** Checks whether a client knows the token: by the token itself, or by a session that it was exchanged for. */
export interface Sessions {
  /** Compares in constant time, so that the duration reveals nothing about the token. */
  isToken: (text: string) => boolean
  /** @returns a value that stands for the token until it expires, on every replica that has the same token */
  issue: () => { value: string, maxAgeSeconds: number }
  /** @returns undefined for a value that is not a session or has expired */
  read: (value: string) => Session | undefined
  /** Ends it on every replica. @throws if Redis does not answer; then it has ended on this replica alone */
  end: (session: Session) => Promise<void>
  /** Without Redis, only this replica's own answer counts: an outage must not lock operators out. */
  hasEnded: (session: Session) => Promise<boolean>
}

/**
 * The value of a session is its end, a random number, and a MAC of both with a key derived from the token. So a new
 * token ends every session, and a replica needs Redis only for those that were ended by hand.
 */
export function createSessions (token: string, ended: Ended): Sessions {
  const key = createHmac('sha256', token).update('gatehouse console session').digest()
  const macOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const endedHere = new Set<string>()

  return {
    isToken: text => isEqual(text, token),

    issue () {
      const text = `${Date.now() + LIFE_MS}.${randomBytes(9).toString('base64url')}`
      return { value: `${text}.${macOf(text)}`, maxAgeSeconds: LIFE_MS / 1000 }
    },

    read (value) {
      const [, text, endsAt, random, mac] = /^((\d{1,15})\.([\w-]{12}))\.([\w-]{43})$/.exec(value) ?? []
      if (text === undefined || !isEqual(mac!, macOf(text)) || Number(endsAt) <= Date.now()) return undefined
      return { endsAt: Number(endsAt), name: `console:${random}` }
    },

    async end ({ name }) {
      endedHere.add(name)
      await ended.add(name)
    },

    async hasEnded ({ endsAt, name }) {
      if (endedHere.has(name)) return true
      const names = await ended.since(endsAt - LIFE_MS - CLOCK_TOLERANCE_MS).catch((): string[] => [])
      return names.includes(name)
    }
  }
}

/** Hashes have equal lengths, so neither the duration nor an error reveals the length of a secret. */
function isEqual (a: string, b: string): boolean {
  const [hashOfA, hashOfB] = [a, b].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(hashOfA!, hashOfB!)
}

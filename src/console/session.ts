import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ended } from '../auth/ended.js'

/** One shift, so that operators need not sign in again during an incident. */
const LIFE_MS = 8 * 3_600_000
/** How far the clocks of two replicas may differ. */
const CLOCK_TOLERANCE_MS = 60_000

export interface ConsoleSession {
  /** In ms since 1970. */
  endsAt: number
  /** Its name in the set of what ended before its time. */
  name: string
}

/**
 * The value of a session is its end, a random number, and a MAC of both with a key derived from the token. So it holds
 * on every replica with the same token, and a new token ends every session. Redis knows those that were ended by hand.
 */
export function createSessions (token: string, ended: Ended) {
  const key = createHmac('sha256', token).update('gatehouse console session').digest()
  const macOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const endedHere = new Set<string>()

  return {
    isToken: (text: string): boolean => isEqual(text, token),

    issue () {
      const text = `${Date.now() + LIFE_MS}.${randomBytes(9).toString('base64url')}`
      return { value: `${text}.${macOf(text)}`, maxAgeSeconds: LIFE_MS / 1000 }
    },

    /** @returns undefined for a value that is not a session or has expired */
    read (value: string): ConsoleSession | undefined {
      const [, text, endsAt, random, mac] = /^((\d{1,15})\.([\w-]{12}))\.([\w-]{43})$/.exec(value) ?? []
      if (text === undefined || !isEqual(mac!, macOf(text)) || Number(endsAt) <= Date.now()) return undefined
      return { endsAt: Number(endsAt), name: `console:${random}` }
    },

    /** Ends it on every replica. @throws if Redis does not answer; then it has ended on this replica alone */
    async end ({ name }: ConsoleSession): Promise<void> {
      endedHere.add(name)
      await ended.add([name])
    },

    /** Without Redis, only what this replica knows counts: an outage must not lock operators out. */
    async hasEnded ({ endsAt, name }: ConsoleSession): Promise<boolean> {
      if (endedHere.has(name)) return true
      const names = await ended.since(endsAt - LIFE_MS - CLOCK_TOLERANCE_MS).catch((): string[] => [])
      // A Redis that has lost its data must not bring it back.
      if (names.includes(name)) endedHere.add(name)
      return endedHere.has(name)
    }
  }
}

/** Hashes have equal lengths, so neither the duration nor an error reveals the length of a secret. */
function isEqual (a: string, b: string): boolean {
  const [hashOfA, hashOfB] = [a, b].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(hashOfA!, hashOfB!)
}

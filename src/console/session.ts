import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A shift: nobody has to sign in again while they work on an incident. */
const LIFE_MS = 8 * 3_600_000

/** Tells who knows the token: by the token itself, or by a session that it was exchanged for. */
export interface Sessions {
  /** Compares in a time that tells nothing of the token. */
  isToken: (text: string) => boolean
  /** @returns a value that stands for the token until it expires, on every replica that has the same token */
  issue: () => { value: string, maxAgeSeconds: number }
  /** @returns when the session ends, in ms since 1970; undefined for a value that is no session, or none any more */
  endOf: (value: string) => number | undefined
}

/**
 * Nothing is kept of a session: its value is its end and a MAC of that, whose key comes from the token. So a new token
 * ends every session.
 */
export function createSessions (token: string): Sessions {
  const key = createHmac('sha256', token).update('gatehouse console session').digest()
  const macOf = (endsAt: string): string => createHmac('sha256', key).update(endsAt).digest('base64url')

  return {
    isToken: text => isEqual(text, token),

    issue () {
      const endsAt = String(Date.now() + LIFE_MS)
      return { value: `${endsAt}.${macOf(endsAt)}`, maxAgeSeconds: LIFE_MS / 1000 }
    },

    endOf (value) {
      const [, endsAt, mac] = /^(\d{1,15})\.([\w-]{43})$/.exec(value) ?? []
      if (endsAt === undefined || !isEqual(mac!, macOf(endsAt))) return undefined
      return Number(endsAt) > Date.now() ? Number(endsAt) : undefined
    }
  }
}

/** Hashes have one length, so neither the time nor an error tells the length of a secret. */
function isEqual (a: string, b: string): boolean {
  const [hashOfA, hashOfB] = [a, b].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(hashOfA!, hashOfB!)
}

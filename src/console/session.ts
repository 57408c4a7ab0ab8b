import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** One shift, so that operators need not sign in again during an incident. */
const LIFE_MS = 8 * 3_600_000

/** Checks whether a client knows the token: by the token itself, or by a session that it was exchanged for. */
export interface Sessions {
  /** Compares in constant time, so that the duration reveals nothing about the token. */
  isToken: (text: string) => boolean
  /** @returns a value that stands for the token until it expires, on every replica that has the same token */
  issue: () => { value: string, maxAgeSeconds: number }
  /** @returns when the session ends, in ms since 1970; undefined for a value that is not a session or has expired */
  endOf: (value: string) => number | undefined
}

/**
 * Sessions are stateless: the value is the end time and a MAC of it, with a key derived from the token. So a new token
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

/** Hashes have equal lengths, so neither the duration nor an error reveals the length of a secret. */
function isEqual (a: string, b: string): boolean {
  const [hashOfA, hashOfB] = [a, b].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(hashOfA!, hashOfB!)
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** One shift, so that operators need not sign in again during an incident. */
const LIFE_MS = 8 * 3_600_000

/**
 * Sessions are stateless: the value is the end time and a MAC of it, with a key derived from the token. So a session
 * holds on every replica with the same token, and a new token ends every session.
 */
export function createSessions (token: string) {
  const key = createHmac('sha256', token).update('gatehouse console session').digest()
  const macOf = (endsAt: string): string => createHmac('sha256', key).update(endsAt).digest('base64url')

  return {
    isToken: (text: string): boolean => isEqual(text, token),

    issue () {
      const endsAt = String(Date.now() + LIFE_MS)
      return { value: `${endsAt}.${macOf(endsAt)}`, maxAgeSeconds: LIFE_MS / 1000 }
    },

    /** @returns in ms since 1970; undefined for a value that is not a session or has expired */
    endOf (value: string): number | undefined {
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

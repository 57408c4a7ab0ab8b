import { createHash, randomBytes } from 'node:crypto'
import type { Sealing } from '../base/sealing.js'

/*
 * A sign-in that is under way is in one cookie of the browser that began it, so that any replica can finish it. Other
 * browsers have no such cookie, and `__Host-` keeps other hosts of the domain from setting it.
 */

const COOKIE = '__Host-gatehouse-sign-in'
const MAX_SECONDS = 600

export interface Flow {
  provider: string
  /** What comes back with the provider's answer. */
  state: string
  /** What comes back in the ID token. */
  nonce: string
  /** What proves to the provider that we have asked for the code (RFC 7636). */
  verifier: string
  /** The S256 of what the page keeps that wants the token. */
  challenge: string
  /** In seconds since 1970. */
  expiresAt: number
}

const secret = (): string => randomBytes(32).toString('base64url')

export const newFlow = (provider: string, challenge: string): Flow => ({
  provider,
  challenge,
  state: secret(),
  nonce: secret(),
  verifier: secret(),
  expiresAt: Math.floor(Date.now() / 1000) + MAX_SECONDS
})

/** S256 of RFC 7636. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Whether a text can be the S256 of a verifier. */
export const isChallenge = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{43}$/.test(text)

const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** A `Set-Cookie`. */
export const flowCookie = (sealing: Sealing, flow: Flow): string =>
  `${COOKIE}=${sealing.seal(Buffer.from(JSON.stringify(flow)), flow.provider)}; ${ATTRIBUTES}; Max-Age=${MAX_SECONDS}`

/** A `Set-Cookie` that ends the flow in this browser. */
export const noFlowCookie = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`

/**
 * @param header the `Cookie` of a request
 * @param state that of the answer, which has to be the flow's
 * @returns undefined if this browser has begun no such flow at this provider, or too long ago
 */
export function flowOf (
  sealing: Sealing, header: string | undefined, provider: string, state: unknown
): Flow | undefined {
  // A browser has one cookie of a name with `__Host-`.
  const [, sealed = ''] = new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(header ?? '') ?? []
  const opened = sealing.open(sealed, provider)
  if (!opened) return undefined
  const flow = JSON.parse(opened.toString()) as Flow
  return flow.state === state && flow.expiresAt > Date.now() / 1000 ? flow : undefined
}

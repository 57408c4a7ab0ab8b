import { isLoopback } from '../base/loopback.js'
import { inOneLine } from '../base/text.js'
import { parseServerUrl } from '../base/url.js'

/* OAuth 2 for the mail server: a token instead of a password (RFC 6749, 4.4, client credentials). */

/** The token endpoint, and the client that it knows gatehouse as. */
export interface TokenUrl {
  /** Without the client and the scope. */
  endpoint: URL
  clientId: string
  clientSecret: string
  scope: string | null
}

const ANSWER_MS = 5000
/** A token is not used any more so long before it expires. */
const SPARE_MS = 60_000
const FORM = 'https://CLIENT_ID:SECRET@login.microsoftonline.com/TENANT/oauth2/v2.0/token?scope=SCOPE'

/** @throws {RangeError} saying what is wrong, and nothing of the text */
export function parseTokenUrl (text: string): TokenUrl {
  const { scheme, username, password, host } = parseServerUrl(text, ['https', 'http'], FORM)
  if (username === '' || password === '') throw new RangeError(`has no client or no secret: it must look like ${FORM}`)
  if (scheme === 'http' && !isLoopback(host)) throw new RangeError('must be of https: the secret is sent there')
  const endpoint = new URL(text)
  endpoint.username = endpoint.password = ''
  const scope = endpoint.searchParams.get('scope')
  endpoint.searchParams.delete('scope')
  return { endpoint, clientId: username, clientSecret: password, scope }
}

export interface TokenSource {
  /** @throws with the endpoint's words, and never with the secret */
  get: () => Promise<string>
  /** The mail server refused the token: the next one is a new one. */
  forget: () => void
}

/** Keeps a token until shortly before it expires. */
export function createTokenSource (from: TokenUrl): TokenSource {
  let kept: { token: string, untilMs: number } | undefined
  return {
    async get () {
      if (!kept || kept.untilMs <= performance.now()) {
        const { token, seconds } = await issue(from)
        kept = { token, untilMs: performance.now() + seconds * 1000 - SPARE_MS }
      }
      return kept.token
    },
    forget () { kept = undefined }
  }
}

interface TokenResponse { access_token?: unknown, expires_in?: unknown, error?: unknown, error_description?: unknown }

async function issue (
  { endpoint, clientId, clientSecret, scope }: TokenUrl
): Promise<{ token: string, seconds: number }> {
  try {
    const reply = await fetch(endpoint, {
      method: 'POST',
      // A redirect would carry the secret elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        ...scope !== null && { scope }
      })
    })
    const text = await reply.text()
    const { access_token: token, expires_in: seconds, error, error_description: why } = answerIn(text)
    if (!reply.ok) throw new Error(`${reply.status} ${error ? [error, why].filter(Boolean).join(': ') : text}`)
    if (typeof token !== 'string') throw new Error(`${reply.status} without an access_token`)
    // Some say the seconds as a text. Without them, a token is used once.
    return { token, seconds: Number(seconds) || 0 }
  } catch (error) {
    const { name, message, cause } = error as Error
    const words = name === 'TimeoutError'
      ? `no answer within ${ANSWER_MS / 1000} s`
      : cause instanceof Error ? `${message}: ${cause.message}` : message
    throw new Error(`no token from ${endpoint.host}: ` +
      inOneLine(words.replaceAll(clientSecret, '(secret)')))
  }
}

function answerIn (text: string): TokenResponse {
  try {
    return Object(JSON.parse(text)) as TokenResponse
  } catch {
    return {}
  }
}

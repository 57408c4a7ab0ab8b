import * as oidc from 'openid-client'
import { readBody } from '../base/read-body.js'
import { isSubject, type IdClaims } from './claims.js'
import type { Flow } from './flow.js'
import type { Provider } from './provider.js'

/** What asks a provider, from the connection to the last byte. */
const TIMEOUT_MS = 5000
/** Documents of providers have a few thousand bytes. */
const MAX_BYTES = 256 * 1024
const MAX_UNDER_WAY = 32
/** How long a provider's description of itself is kept. */
const KEPT_MS = 3_600_000
/** After a failure, nobody is sent there for so long, and nobody waits. */
const PAUSE_MS = 5000
const CLOCK_TOLERANCE_SECONDS = 30

/** The provider cannot be reached, does not answer in time, or does not accept gatehouse as its client. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** The provider does not accept gatehouse as its client, for everyone: its secret has expired, for example. */
class ClientRefused extends ProviderUnavailable {}

/** The person or the provider has said no. */
export class SignInDenied extends Error {
  override readonly name = 'SignInDenied'
}

/** An answer of the provider is not what it should be, such as a used code or a forged token. */
export class SignInInvalid extends Error {
  override readonly name = 'SignInInvalid'
}

/** OpenID Connect with one provider: the authorization code flow with PKCE, state and nonce. */
export class ProviderClient {
  #known: { metadata: oidc.ServerMetadata, untilMs: number } | undefined
  #failure: { error: Error, untilMs: number } | undefined
  /** Why the provider has refused gatehouse as its client, until it accepts it. */
  #refusal: string | undefined
  #underWay = 0

  /**
   * @param redirectUri where the provider sends the browser back to
   * @param onChange called when the provider fails, and when it has answered again
   */
  constructor (
    readonly provider: Provider, readonly redirectUri: string, private readonly onChange: () => void = () => {}
  ) {}

  /** Why nobody can sign in there, as the last questions to the provider have shown. */
  get failure (): string | undefined {
    return this.#failure?.error.message ?? this.#refusal
  }

  /**
   * Where the browser has to go.
   *
   * @throws {ProviderUnavailable}
   */
  async authorizationUrl ({ state, nonce, verifier }: Flow): Promise<URL> {
    return await this.#ask(async (fetch) => {
      const config = await this.#configuration(fetch)
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: this.redirectUri,
        scope: 'openid email',
        prompt: promptOf(config.serverMetadata()),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256'
      })
    })
  }

  /**
   * Exchanges the code for an ID token, and checks its signature, `iss`, `aud`, `azp`, `exp`, `iat` and `nonce`.
   *
   * @param query what the provider has added to the redirect URI
   * @throws {ProviderUnavailable}
   * @throws {SignInDenied}
   * @throws {SignInInvalid}
   */
  async claimsOf (query: string, { state, nonce, verifier }: Flow): Promise<IdClaims> {
    return await this.#ask(async (fetch) => {
      const config = await this.#configuration(fetch)
      const tokens = await oidc.authorizationCodeGrant(config, new URL(`?${query}`, this.redirectUri), {
        expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true
      })
      this.#setRefusal(undefined)
      const claims = tokens.claims()!
      if (!isSubject(claims.sub)) throw new SignInInvalid('the claim sub is not valid')
      if (claims.azp !== undefined && claims.azp !== this.provider.clientId) {
        throw new SignInInvalid('the claim azp names another client')
      }
      if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) {
        throw new SignInInvalid('the ID token is of the future')
      }
      return claims
    })
  }

  /** Asks what the provider says of itself, unless that is known. @throws {ProviderUnavailable} */
  async discover (): Promise<void> {
    await this.#ask(async fetch => await this.#configuration(fetch))
  }

  /**
   * One object a flow: openid-client remembers keys of the provider in it for minutes, and would refuse a token that a
   * new key has signed.
   */
  async #configuration (fetch: oidc.CustomFetch): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.provider
    const options = {
      execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [], [oidc.customFetch]: fetch
    }
    if (!this.#known || this.#known.untilMs < performance.now()) {
      const discovered = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, options)
      const metadata = discovered.serverMetadata()
      // Of Entra, openid-client accepts the document of any tenant.
      if (metadata.issuer !== issuer) throw new Error(`the issuer calls itself ${metadata.issuer}`)
      this.#known = { metadata, untilMs: performance.now() + KEPT_MS }
    }
    const { metadata } = this.#known
    const takesPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const authentication = takesPost ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret)
    const config = new oidc.Configuration(
      { ...metadata }, clientId, { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS }, authentication
    )
    config[oidc.customFetch] = fetch
    for (const extension of options.execute) extension(config)
    // Without this, TLS alone would vouch for the ID token.
    oidc.enableNonRepudiationChecks(config)
    return config
  }

  #recover (): void {
    this.#failure = undefined
    this.onChange()
  }

  #setRefusal (refusal: string | undefined): void {
    if (refusal === this.#refusal) return
    this.#refusal = refusal
    this.onChange()
  }

  /** After a failure the provider is left alone for a while. So many wait for it at most. */
  async #ask<Answer> (ask: (fetch: oidc.CustomFetch) => Promise<Answer>): Promise<Answer> {
    if (this.#failure && this.#failure.untilMs > performance.now()) throw this.#failure.error
    if (this.#underWay >= MAX_UNDER_WAY) throw new ProviderUnavailable('too many wait for it')
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    let failure: Error | undefined
    this.#underWay++
    try {
      return await ask(async (url, options) => {
        try {
          const response = await boundedFetch(url, { ...options as RequestInit, signal })
          if (this.#failure) this.#recover()
          return response
        } catch (error) {
          failure = error as Error
          throw error
        }
      })
    } catch (error) {
      failure ??= this.#known ? undefined : error as Error
      if (!failure) {
        const meaning = judged(error as Error)
        if (meaning instanceof ClientRefused) this.#setRefusal(meaning.message)
        throw meaning
      }
      const unreachable = unavailable(failure)
      this.#failure = { error: unreachable, untilMs: performance.now() + PAUSE_MS }
      this.onChange()
      throw unreachable
    } finally {
      this.#underWay--
    }
  }
}

/**
 * On a computer that several people use, nobody gets the account of who was there before. At a provider that lets
 * nobody select an account, such as Keycloak, people log in again.
 */
const promptOf = ({ prompt_values_supported: offered }: oidc.ServerMetadata): string =>
  Array.isArray(offered) && !offered.includes('select_account') ? 'login' : 'select_account'

/** @throws an error for an answer that is too long, too slow, or says that the server has a trouble */
async function boundedFetch (url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' })
  const { status, headers } = response
  if (status >= 500 || status === 429) throw new Error(`${new URL(url).pathname} answers ${status}`)
  const body = await readBody(response, MAX_BYTES)
  return new Response(body.length > 0 ? body : null, { status, headers })
}

function unavailable (cause: Error): ProviderUnavailable {
  const { message } = cause.cause instanceof Error ? cause.cause : cause
  return new ProviderUnavailable(message, { cause })
}

/** Other codes may be about what the browser has sent. */
const clientRefusals = new Set(['invalid_client', 'unauthorized_client', 'status 401'])

/** What an error of openid-client means. */
function judged (error: Error): Error {
  if (error instanceof oidc.AuthorizationResponseError) {
    // Also `temporarily_unavailable`, by which Keycloak asks to start again. Any browser can write these, so they say
    // nothing of the way from here to the provider.
    return new SignInDenied(shown(error.error), { cause: error })
  }
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError) {
    const code = error instanceof oidc.ResponseBodyError ? shown(error.error) : `status ${error.status}`
    if (code === 'invalid_grant') return new SignInInvalid(code, { cause: error })
    const Meaning = clientRefusals.has(code) ? ClientRefused : ProviderUnavailable
    return new Meaning(`the provider does not accept gatehouse: ${code}`, { cause: error })
  }
  if (error instanceof oidc.ClientError) return new SignInInvalid(whyOf(error), { cause: error })
  if (error instanceof SignInInvalid) return error
  return new ProviderUnavailable(error.message, { cause: error })
}

const whyOf = (error: Error): string =>
  error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message

/** The code of an error. A browser can send any text in its place. */
const shown = (code: string): string => /^[a-z_]{1,40}$/.test(code) ? code : 'unknown error'

import { isDeepStrictEqual } from 'node:util'
import fp from 'fastify-plugin'
import { keysOf } from '../../auth/tokens.js'
import { Sealing } from '../../base/sealing.js'
import type { Config } from '../../config/config.js'
import { redirectUri } from '../../config/own-origin.js'
import { ProviderClient } from '../../sign-in/provider-client.js'

declare module 'fastify' {
  interface FastifyInstance {
    signIn: {
      /** The OpenID providers by name. */
      providers: ReadonlyMap<string, ProviderClient>
      /** Seals sign-ins that are under way, for any replica. */
      sealing: Sealing
      /** Whether a user may sign in at a provider alone, and not with a password. */
      hasNoPasswordLogin: (user: { signInIssuer: string | null }) => boolean
    }
  }
}

/** The providers of OIDC_FILE. */
export default fp<{ config: Config }>(async (app, { config }) => {
  function settings ({ signInProviders, ...rest }: Config, former?: ReadonlyMap<string, ProviderClient>) {
    const clients = signInProviders.map((provider) => {
      const known = former?.get(provider.name)
      const client = known && isDeepStrictEqual(known.provider, provider)
        ? known
        : new ProviderClient(provider, redirectUri(config, provider.name), tell)
      return [provider.name, client] as const
    })
    const passwordless = signInProviders.filter(({ passwords }) => passwords === false).map(({ issuer }) => issuer)
    return {
      providers: new Map(clients),
      sealing: new Sealing([...keysOf(rest).verifying.values()].map(({ signWith }) => signWith), 'sign-ins under way'),
      hasNoPasswordLogin: ({ signInIssuer }: { signInIssuer: string | null }) =>
        passwordless.includes(signInIssuer ?? '')
    }
  }

  /** What the last sign-ins have found. */
  function tell (): void {
    const { providers } = app.signIn
    const failing = [...providers.values()].filter(({ failure }) => failure !== undefined)
    const value = providers.size === 0 ? 'not used' : failing.length > 0 ? 'a provider fails' : 'no provider fails'
    const reason = failing.map(({ provider: { name }, failure }) => `${name}: ${failure}`).join('; ')
    app.states.set('signIn', value, reason)
  }

  app.decorate('signIn', settings(config))
  tell()
  app.onReload((next) => {
    app.signIn = settings(next, app.signIn.providers)
    tell()
  })
}, { name: 'sign-in', dependencies: ['reload'] })

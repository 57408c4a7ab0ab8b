import { action, ok, type Finding } from '../base/finding.js'
import { redirectUri } from '../config/own-origin.js'
import { ProviderClient } from '../sign-in/provider-client.js'
import type { Provider } from '../sign-in/provider.js'
import { judgeState } from './replica-states.js'
import { timed, type Checks, type Deployment } from './run-checks.js'

/**
 * Whether this machine reaches each OpenID provider, and what has to be registered there; and what the replicas have
 * found at sign-ins, which send the client's secret.
 */
export function signInChecks ({ config, replicas }: Pick<Deployment, 'config' | 'replicas'>): Checks {
  const { signInProviders } = config
  if (signInProviders.length === 0) return {}
  return {
    'sign-in': async () => [
      ...await Promise.all(signInProviders.map(async provider =>
        await judgeProvider(provider, redirectUri(config, provider.name)))),
      ...judgeState('signIn', replicas)
    ]
  }
}

async function judgeProvider (provider: Provider, uri: string): Promise<Finding> {
  const { error } = await timed(() => new ProviderClient(provider, uri).discover())
  if (error) {
    return action(`${provider.label} at ${provider.issuer} cannot be asked: ${error.message}`,
      'open its address with /.well-known/openid-configuration from here; see docs/runbook.md')
  }
  return ok(`${provider.label} answers; the redirect URI that has to be registered there is ${uri}`)
}

import type { Config } from './config.js'

type Own = Pick<Config, 'publicOrigin' | 'host' | 'port'>

/** The public origin of the service; without PUBLIC_URL, that for a browser on this machine. */
export function ownOrigin ({ publicOrigin, host, port }: Own): string {
  if (publicOrigin !== undefined) return publicOrigin
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where an OpenID provider sends browsers back to. It has to be registered there. @param name of the provider */
export const redirectUri = (config: Own, name: string): string => `${ownOrigin(config)}/api/auth/oidc/${name}/callback`

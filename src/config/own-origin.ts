import type { Config } from './config.js'

/** The public origin of the service; without PUBLIC_URL, that for a browser on this machine. */
export function ownOrigin ({ publicOrigin, host, port }: Pick<Config, 'publicOrigin' | 'host' | 'port'>): string {
  if (publicOrigin !== undefined) return publicOrigin
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

import { publicJwk } from '../auth/private-keys.js'
import type { Config } from './config.js'
import { loadConfig } from './load.js'
import { ConfigError } from './config-error.js'

/** By the setting that names them, and whether a running process can take them over. */
const parts: Array<[name: string, of: (config: Config) => string | undefined, takesOver: boolean]> = [
  ['LIMITS_FILE', ({ limits: { clients, ...rows } }) => JSON.stringify(rows), true],
  ['MODULES_FILE', ({ modules }) => JSON.stringify(modules), true],
  ['JWT_SECRET_FILE', ({ jwtSecrets }) => jwtSecrets.join(), true],
  ['JWT_PRIVATE_KEY_FILE', ({ jwtPrivateKeys }) => jwtPrivateKeys.map(key => publicJwk(key).kid).join(), true],
  ['SECOND_FACTOR_KEY_FILE', ({ secondFactorKeys }) => secondFactorKeys.join(), true],
  ['OIDC_FILE', ({ signInProviders }) => JSON.stringify(signInProviders), true],
  ['the password of DATABASE_URL_FILE', ({ databaseUrl }) => databaseUrl?.server.password, true],
  ['a certificate', ({ databaseUrl }) => textOfTls(databaseUrl?.server.ssl), true],
  ['DATABASE_URL_FILE', ({ databaseUrl }) => withoutSecrets(databaseUrl), false],
  ['REDIS_URL_FILE or REDIS_PREFIX', ({ redisUrl }) => JSON.stringify(redisUrl), false],
  ['OPS_TOKEN_FILE', ({ opsToken }) => opsToken, false],
  ['SMTP_URL_FILE or SMTP_TOKEN_URL_FILE', ({ smtpUrl }) => JSON.stringify(smtpUrl), false],
  ['a setting of .env', others, false]
]

/**
 * Reads .env and all files again.
 *
 * @param running what the process has now
 * @returns the configuration, and the names of what differs in it
 * @throws {ConfigError} with every fault. A change that needs a restart is one, too
 */
export function reloadConfig (running: Config): { config: Config, changed: string[] } {
  const config = loadConfig('service')
  const changed = parts.filter(([, of]) => of(config) !== of(running))
  const late = changed.filter(([, , takesOver]) => !takesOver)
  if (late.length > 0) throw new ConfigError(late.map(([name]) => `${name}: has changed, which needs a restart`))
  return { config, changed: changed.map(([name]) => name) }
}

/** pg hides the key from `JSON.stringify`. */
const textOfTls = (ssl: object | false | undefined): string =>
  ssl ? JSON.stringify([ssl, (ssl as { key?: string }).key]) : String(ssl)

function withoutSecrets (databaseUrl: Config['databaseUrl']): string | undefined {
  return JSON.stringify(databaseUrl, (name, value) => name === 'password' || name === 'ssl' ? undefined : value)
}

/** The settings that have no name of their own above. How many hashes run at once also depends on the machine. */
function others ({
  limits: { clients }, modules, jwtSecrets, jwtPrivateKeys, secondFactorKeys, signInProviders, databaseUrl, redisUrl,
  opsToken, smtpUrl, bcryptConcurrency, ...rest
}: Config): string {
  return JSON.stringify([clients, rest])
}

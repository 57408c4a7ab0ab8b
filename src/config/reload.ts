import { publicJwk } from '../auth/private-keys.js'
import { ConfigError, loadConfig, type Config } from './config.js'

/** What a running process can take over from files that have changed, by the setting that names them. */
export function reloadConfig (running: Config): Pick<Config, 'limits'> {
  const config = loadConfig()
  const parts = [
    ['MODULES_FILE', ({ modules }: Config) => JSON.stringify(modules)],
    ['JWT_SECRET_FILE', ({ jwtSecrets }: Config) => jwtSecrets.join()],
    ['JWT_PRIVATE_KEY_FILE', ({ jwtPrivateKeys }: Config) => jwtPrivateKeys.map(key => publicJwk(key).kid).join()],
    ['DATABASE_URL_FILE or a certificate', ({ databaseUrl }: Config) => JSON.stringify(databaseUrl)],
    ['REDIS_URL_FILE', ({ redisUrl }: Config) => JSON.stringify(redisUrl)],
    ['OPS_TOKEN_FILE', ({ opsToken }: Config) => opsToken],
    ['SMTP_URL_FILE', ({ smtpUrl }: Config) => JSON.stringify(smtpUrl)],
    ['a setting of .env', others]
  ] as const
  const changed = parts.filter(([, part]) => part(config) !== part(running))
  if (changed.length > 0) throw new ConfigError(changed.map(([name]) => `${name}: has changed, which needs a restart`))
  return config
}

/** The settings that have no name of their own above. How many hashes run at once also depends on the machine. */
function others ({
  limits, modules, jwtSecrets, jwtPrivateKeys, databaseUrl, redisUrl, opsToken, smtpUrl, bcryptConcurrency, ...rest
}: Config): string {
  return JSON.stringify(rest)
}

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { readLanguages } from '../languages/languages.js'
import { parsePrivateKeys } from '../auth/private-keys.js'
import { parseTokenUrl } from '../mail/smtp-token.js'
import { parseSmtpUrl } from '../mail/smtp-url.js'
import { parseDatabaseUrl } from '../database/database-url.js'
import { parseNetwork, type Network } from '../base/networks.js'
import { Clients } from '../limiter/limits/client.js'
import { parseLimits } from '../limiter/limits/limits-file.js'
import { defaultLimits } from '../limiter/limits/policies.js'
import { parseRedisUrl, type RedisUrl } from '../limiter/redis/redis-url.js'
import { policiesOfModules } from '../modules/modules-file.js'
import type { Config } from './config.js'
import { collectFault, ConfigError } from './config-error.js'
import { configFaults } from './faults.js'
import { readModules } from './module-settings.js'
import { isOrigin, parseName, parsePage, parsePrefix } from './parsers.js'
import { parseList, loadSettings, readSettings, readText } from './settings.js'
import { readTracing } from './span-export.js'
import { readEnvironment, type Environment } from './variables.js'

/** The process's environment, with what `.env` in the working directory adds to it. @throws {ConfigError} */
export function loadConfig (purpose?: Purpose): Config {
  const faults: string[] = []
  const { values, warnings } = loadSettings(faults)
  // OpenTelemetry's SDK reads only process.env.
  for (const name in values) if (name.startsWith('OTEL_')) process.env[name] = values[name]
  return readConfig(values, purpose, faults, warnings)
}

/** Which addresses are one client, for commands that run in spite of faults in the other settings. */
export const readClients = (): Clients =>
  new Clients(readEnvironment(loadSettings([]).values, []).CLIENT_IPV6_PREFIX)

/**
 * The service writes the audit log, and commands may run as a user who cannot. `migrate` needs only the database, so it
 * does without the secrets of the service.
 */
type Purpose = 'service' | 'command' | 'migrate'

/**
 * @param faults those that were already found
 * @throws {ConfigError}
 */
export function readConfig (
  environment: NodeJS.Dict<string>, purpose: Purpose = 'command', faults: string[] = [], warnings: string[] = []
): Config {
  const settings = readSettings(environment, faults)
  const env = readEnvironment(settings, faults)
  const production = env.NODE_ENV === 'production'

  const parsed = <T>(name: keyof Environment, parse: (text: string) => T): T | undefined =>
    env[name] === undefined ? undefined : collectFault(() => parse(String(env[name])), name, faults)
  const networks = (name: 'OPS_NETWORKS' | 'TRUST_PROXY'): Network[] =>
    parseList(env[name], name, faults).flatMap(text => collectFault(() => [parseNetwork(text)], name, faults) ?? [])
  const [smtpUrl, token] = [parsed('SMTP_URL', parseSmtpUrl), parsed('SMTP_TOKEN_URL', parseTokenUrl)]
  const modules = readModules(env, faults)
  const policies = policiesOfModules(modules)
  const clients = new Clients(env.CLIENT_IPV6_PREFIX)
  const isOfModule = (name: string): boolean => policies.includes(name)

  const config: Config = {
    production,
    host: oneAddress(env.HOST),
    port: env.PORT,
    opsHost: oneAddress(env.OPS_HOST),
    opsPort: env.OPS_PORT,
    opsNetworks: networks('OPS_NETWORKS'),
    opsToken: env.OPS_TOKEN,
    verifyHost: oneAddress(env.VERIFY_HOST),
    verifyPort: env.VERIFY_PORT,
    databaseUrl: parsed('DATABASE_URL', parseDatabaseUrl),
    redisUrl: prefixed(parsed('REDIS_URL', parseRedisUrl), parsed('REDIS_PREFIX', parsePrefix)),
    onRedisFailure: env.LIMITER_ON_REDIS_FAILURE,
    redisTimeoutMs: env.REDIS_TIMEOUT_MS,
    databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
    onDatabaseFailure: env.TOKENS_ON_DATABASE_FAILURE,
    dataDir: resolve(env.DATA_DIR),
    jwtSecrets: parseList(env.JWT_SECRET, 'JWT_SECRET', faults),
    jwtPrivateKeys: parsed('JWT_PRIVATE_KEY', parsePrivateKeys) ?? [],
    userCreation: env.USER_CREATION,
    sessionHours: env.SESSION_HOURS,
    smtpUrl: smtpUrl && { ...smtpUrl, ...token && { token } },
    mailFrom: env.MAIL_FROM ?? `gatehouse@${isOrigin(env.PUBLIC_URL) ? new URL(env.PUBLIC_URL).hostname : 'localhost'}`,
    appName: parsed('APP_NAME', parseName) ?? '',
    loginUrl: parsed('LOGIN_URL', parsePage),
    languages: collectFault(() => readLanguages(), 'locales', faults) ?? new Map(),
    corsOrigins: parseList(env.CORS_ORIGINS, 'CORS_ORIGINS', faults),
    corsHeaders: parseList(env.CORS_HEADERS, 'CORS_HEADERS', faults),
    publicOrigin: env.PUBLIC_URL,
    trustProxy: networks('TRUST_PROXY'),
    keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
    limits: parsed('LIMITS_FILE', file => parseLimits(readText(file), clients, isOfModule)) ??
      { ...defaultLimits, clients },
    modules,
    bcryptCost: env.BCRYPT_COST,
    // One thread of libuv's pool stays free for files and DNS, which would otherwise wait for whole hashes.
    bcryptConcurrency: Math.max(1, Math.min(availableParallelism(), env.UV_THREADPOOL_SIZE - 1)),
    logLevel: env.LOG_LEVEL,
    auditLog: env.AUDIT_LOG === undefined ? undefined : resolve(env.AUDIT_LOG),
    docs: env.DOCS === undefined ? !production : env.DOCS === 'true',
    tracing: readTracing(env, settings, faults),
    warnings
  }
  if (purpose === 'service' && config.auditLog !== undefined) {
    collectFault(() => mustBeAppendable(config.auditLog!), 'AUDIT_LOG', faults)
  }
  warnings.push(...config.databaseUrl?.unused.map(text => `DATABASE_URL: ${text}`) ?? [])
  faults.push(...configFaults(config, env, purpose !== 'migrate'))
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

const prefixed = (url: RedisUrl | undefined, prefix: string | undefined): RedisUrl | undefined =>
  url && prefix ? { ...url, prefix } : url

/** Does not create the file. The first event does. */
function mustBeAppendable (file: string): void {
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error(`${file} is no file`)
    accessSync(existsSync(file) ? file : `${dirname(file)}/`, constants.W_OK)
  } catch (error) {
    throw new Error(`cannot be written: ${(error as Error).message}`)
  }
}

/** For `localhost`, Fastify would start a second server on ::1 without our handlers for broken connections. */
const oneAddress = (host: string): string => host === 'localhost' ? '127.0.0.1' : host

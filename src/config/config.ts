import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
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
import { modulePolicyNames } from '../modules/modules-file.js'
import { parseProviders } from '../sign-in/provider.js'
import { collectFault } from './config-error.js'
import { readModules } from './module-settings.js'
import { isOrigin, parseName, parsePage, parsePrefix } from './parsers.js'
import { readTextFile } from '../base/text-file.js'
import { parseList } from './settings.js'
import { readTracing } from './span-export.js'
import type { Environment } from './variables.js'

/** Everything that can be set from outside, checked and frozen. Units are in the names. */
export type Config = Readonly<ReturnType<typeof parseConfig>>

/**
 * @param settings all that are set; `env` has those of the schema
 * @param faults gets what is wrong with a setting
 */
export function parseConfig (
  env: Environment, settings: NodeJS.Dict<string>, faults: string[], warnings: readonly string[]
) {
  const production = env.NODE_ENV === 'production'

  const parsed = <T>(name: keyof Environment, parse: (text: string) => T): T | undefined =>
    env[name] === undefined ? undefined : collectFault(() => parse(String(env[name])), name, faults)
  const networks = (name: 'OPS_NETWORKS' | 'TRUST_PROXY'): Network[] =>
    parseList(env[name], name, faults).flatMap(text => collectFault(() => [parseNetwork(text)], name, faults) ?? [])
  const [smtpUrl, token] = [parsed('SMTP_URL', parseSmtpUrl), parsed('SMTP_TOKEN_URL', parseTokenUrl)]
  const modules = readModules(env, faults)
  const policies = modulePolicyNames(modules)
  const clients = new Clients(env.CLIENT_IPV6_PREFIX)
  const isOfModule = (name: string): boolean => policies.includes(name)

  return {
    production,
    host: oneAddress(env.HOST),
    port: env.PORT,
    /** The second listener, for operators. */
    opsHost: oneAddress(env.OPS_HOST),
    opsPort: env.OPS_PORT,
    /** Networks whose requests are answered, besides this machine; empty for all. */
    opsNetworks: networks('OPS_NETWORKS'),
    /** The token for the console and the bucket API there. Without it, one is made, but in production both are off. */
    opsToken: env.OPS_TOKEN,
    /** The verify listener, for proxies that ask about their requests. Without a port there is none. */
    verifyHost: oneAddress(env.VERIFY_HOST),
    verifyPort: env.VERIFY_PORT,
    /** PostgreSQL; undefined for the embedded one in `dataDir`. */
    databaseUrl: parsed('DATABASE_URL', parseDatabaseUrl),
    /** Redis; undefined keeps the buckets in this process. */
    redisUrl: prefixed(parsed('REDIS_URL', parseRedisUrl), parsed('REDIS_PREFIX', parsePrefix)),
    onRedisFailure: env.LIMITER_ON_REDIS_FAILURE,
    /** A take that Redis has not answered after this time is decided without Redis. */
    redisTimeoutMs: env.REDIS_TIMEOUT_MS,
    /** A query that PostgreSQL has not answered after this time has failed. */
    databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
    /** What happens to tokens while PostgreSQL does not answer. */
    onDatabaseFailure: env.TOKENS_ON_DATABASE_FAILURE,
    dataDir: resolve(env.DATA_DIR),
    /** The first one signs, and all verify. If there are neither secrets nor private keys, `dataDir` gets a secret. */
    jwtSecrets: parseList(env.JWT_SECRET, 'JWT_SECRET', faults),
    /** The first one signs instead of a secret, and all verify. */
    jwtPrivateKeys: parsed('JWT_PRIVATE_KEY', parsePrivateKeys) ?? [],
    /** The first one seals the secrets of second factors, and all open them; empty in production for no factors. */
    secondFactorKeys: parseList(env.SECOND_FACTOR_KEY, 'SECOND_FACTOR_KEY', faults),
    /** Whose login needs a second factor. */
    secondFactorRoles: parseList(env.SECOND_FACTOR_ROLES, 'SECOND_FACTOR_ROLES', faults),
    /** The OpenID providers that users may sign in at. */
    signInProviders: parsed('OIDC_FILE', file => parseProviders(readTextFile(file), readTextFile)) ?? [],
    /** Who may create users: `open` lets anyone create users of the lowest role, `admin` lets only administrators. */
    userCreation: env.USER_CREATION,
    /** How long after its login a session ends at the latest; 0 for no sessions. */
    sessionHours: env.SESSION_HOURS,
    /** A mail server; undefined writes mails to files in `dataDir`. */
    smtpUrl: smtpUrl && { ...smtpUrl, ...token && { token } },
    mailFrom: env.MAIL_FROM ?? `gatehouse@${isOrigin(env.PUBLIC_URL) ? new URL(env.PUBLIC_URL).hostname : 'localhost'}`,
    /** What pages and mails call the service. */
    appName: parsed('APP_NAME', parseName) ?? '',
    /** Where its users log in; undefined if pages and mails do not say it. */
    loginUrl: parsed('LOGIN_URL', parsePage),
    /** The texts of pages and mails. */
    languages: collectFault(() => readLanguages(), 'locales', faults) ?? new Map(),
    corsOrigins: parseList(env.CORS_ORIGINS, 'CORS_ORIGINS', faults),
    /** What pages of other origins may send besides the usual headers. */
    corsHeaders: parseList(env.CORS_HEADERS, 'CORS_HEADERS', faults),
    /** The public origin of the service. */
    publicOrigin: env.PUBLIC_URL,
    trustProxy: networks('TRUST_PROXY'),
    /** How long an idle connection waits for its next request. */
    keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
    limits: parsed('LIMITS_FILE', file => parseLimits(readTextFile(file), clients, isOfModule)) ??
      { ...defaultLimits, clients },
    /** The modules behind the gateway. */
    modules,
    bcryptCost: env.BCRYPT_COST,
    /**
     * How many hashes are computed at a time. One thread of libuv's pool stays free for files and DNS, which would
     * otherwise wait for whole hashes.
     */
    bcryptConcurrency: Math.max(1, Math.min(availableParallelism(), env.UV_THREADPOOL_SIZE - 1)),
    logLevel: env.LOG_LEVEL,
    /** The file to which events of accounts are appended; undefined for none. */
    auditLog: env.AUDIT_LOG === undefined ? undefined : resolve(env.AUDIT_LOG),
    /** Whether the API is documented at /docs. */
    docs: env.DOCS === undefined ? !production : env.DOCS === 'true',
    /** Where spans go; undefined if there is no tracing. */
    tracing: readTracing(env, settings, faults),
    /** Names of settings that nobody knows, and parts of a setting that have no effect. */
    warnings
  }
}

const prefixed = (url: RedisUrl | undefined, prefix: string | undefined): RedisUrl | undefined =>
  url && prefix ? { ...url, prefix } : url

/** For `localhost`, Fastify would start a second server on ::1 without our handlers for broken connections. */
const oneAddress = (host: string): string => host === 'localhost' ? '127.0.0.1' : host

import type { KeyObject } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { envSchema } from 'env-schema'
import { parsePrivateKeys } from './auth/private-keys.js'
import { isEmail } from './auth/rules.js'
import { parseSmtpUrl, type SmtpUrl } from './auth/smtp-url.js'
import { parseDatabaseUrl, type DatabaseUrl } from './database-url.js'
import { parseNetwork, type Network } from './limiter/client.js'
import type { FailureMode } from './limiter/fallback.js'
import { LimitsError, parseLimits } from './limiter/limits-file.js'
import { defaultLimits, isLimited, type Limits } from './limiter/policies.js'
import { parseRedisUrl, type RedisUrl } from './limiter/redis-url.js'
import { isLoopback } from './loopback.js'
import { modulesOf, type Module } from './modules/module.js'
import { ModulesError, ownPolicies, parseModules, parseModulesFile } from './modules/modules-file.js'

/** Everything that can be set from outside, checked and frozen. Units are in the names. */
export interface Config {
  production: boolean
  host: string
  port: number
  /** The second listener, for those who run the service. */
  opsHost: string
  opsPort: number
  /** The listener of proxies that ask about their requests; no port for none. */
  verifyHost: string
  verifyPort: number | undefined
  /** PostgreSQL; undefined is the embedded one in `dataDir`. */
  databaseUrl: DatabaseUrl | undefined
  /** Redis; undefined keeps the buckets in this process. */
  redisUrl: RedisUrl | undefined
  onRedisFailure: FailureMode
  /** A take that Redis has not answered by then is decided without Redis. */
  redisTimeoutMs: number
  /** A query that PostgreSQL has not answered by then has failed. */
  databaseTimeoutMs: number
  dataDir: string
  /** The first signs, all verify; empty means generated into `dataDir`. */
  jwtSecrets: readonly string[]
  /** The first signs, before any secret does; all verify. */
  jwtPrivateKeys: readonly KeyObject[]
  /** Who may create users: anyone, though of the lowest role, or administrators alone. */
  userCreation: 'open' | 'admin'
  /** A mail server; undefined writes mails to files in `dataDir`. */
  smtpUrl: SmtpUrl | undefined
  mailFrom: string
  corsOrigins: readonly string[]
  /** Where the service is seen from outside, as an origin. */
  publicOrigin: string | undefined
  trustProxy: readonly Network[]
  limits: Limits
  /** What stands behind the gateway. */
  modules: readonly Module[]
  bcryptCost: number
  /** Hashes computed at a time. */
  bcryptConcurrency: number
  logLevel: string
  /** The file to which events of accounts are appended; undefined for none. */
  auditLog: string | undefined
  /** Whether clients may read how to use the API, at /docs. */
  docs: boolean
}

/** What may be set, as JSON schema: env-schema takes nothing else. `docs/settings.md` is made of it. */
export const variables = {
  NODE_ENV: { enum: ['production', 'development', 'test'], description: '`production` refuses what is not safe there' },
  HOST: { type: 'string', default: '127.0.0.1', description: 'Where the service listens' },
  PORT: { type: 'integer', default: 3000, minimum: 0, maximum: 65535, description: 'Its port; 0 takes a free one' },
  OPS_HOST: { type: 'string', default: '127.0.0.1', description: 'Where health and metrics are, for operators only' },
  OPS_PORT: { type: 'integer', default: 9464, minimum: 0, maximum: 65535, description: 'Their port' },
  VERIFY_HOST: { type: 'string', default: '127.0.0.1', description: 'Where proxies may ask about their requests' },
  VERIFY_PORT: { type: 'integer', minimum: 0, maximum: 65535, description: 'Its port; if not set, nobody may ask' },
  DATABASE_URL: {
    type: 'string', description: 'PostgreSQL; if not set, an embedded one in `DATA_DIR`. Required in production'
  },
  REDIS_URL: { type: 'string', description: 'Redis; if not set, the buckets are in memory. Required in production' },
  LIMITER_ON_REDIS_FAILURE: {
    enum: ['local', 'closed', 'open'],
    default: 'local',
    description: 'Without Redis: limit per replica, answer 503, or admit'
  },
  REDIS_TIMEOUT_MS: {
    type: 'integer',
    default: 100,
    minimum: 10,
    maximum: 10_000,
    description: 'A take without a reply by then is decided without Redis'
  },
  DATABASE_TIMEOUT_MS: {
    type: 'integer',
    default: 1000,
    minimum: 100,
    maximum: 60_000,
    description: 'A query without a reply by then fails'
  },
  DATA_DIR: {
    type: 'string', default: './data', description: 'Folder of the embedded database, a generated secret, and mails'
  },
  JWT_SECRET: {
    type: 'string', default: '', description: 'Comma-separated secrets for tokens: the first signs, all verify'
  },
  JWT_PRIVATE_KEY: {
    type: 'string', description: 'Private keys for tokens, PEM or JWK set: the first signs, all verify'
  },
  USER_CREATION: {
    enum: ['open', 'admin'], default: 'open', description: 'Who may create users: anyone, or administrators'
  },
  SMTP_URL: { type: 'string', description: 'Mail server; if not set, mails are files in `DATA_DIR/outbox`' },
  MAIL_FROM: { type: 'string', description: 'Sender of mails; if not set, `gatehouse@` the host of `PUBLIC_URL`' },
  CORS_ORIGINS: {
    type: 'string', default: '', description: 'Comma-separated origins of the pages that may use the API'
  },
  PUBLIC_URL: { type: 'string', description: 'The origin under which users see the service. Required with `SMTP_URL`' },
  TRUST_PROXY: {
    type: 'string',
    default: '',
    description: 'Comma-separated networks of proxies whose `X-Forwarded-For` is believed'
  },
  LIMITS_FILE: { type: 'string', description: 'JSON file with other limits' },
  MODULES: { type: 'string', description: 'Modules behind the gateway, in the short form' },
  MODULES_FILE: { type: 'string', description: 'JSON file with the modules, instead of `MODULES`' },
  BCRYPT_COST: {
    type: 'integer', default: 12, minimum: 10, maximum: 16, description: 'Each step doubles the time of a login'
  },
  LOG_LEVEL: {
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'The least severe line that is written'
  },
  AUDIT_LOG: { type: 'string', description: 'File that also gets every event of an account' },
  DOCS: { enum: ['true', 'false'], description: 'Serves `/docs`; if not set, everywhere except in production' },
  UV_THREADPOOL_SIZE: {
    type: 'integer',
    default: 4,
    minimum: 1,
    maximum: 1024,
    description: 'Threads for passwords and files. Not read from `.env`'
  }
} as const

type Variables = typeof variables
type Value<Schema> =
  Schema extends { enum: ReadonlyArray<infer Word> } ? Word : Schema extends { type: 'integer' } ? number : string
type WithDefault =
  { [Name in keyof Variables]: Variables[Name] extends { default: unknown } ? Name : never }[keyof Variables]
type Environment =
  { [Name in WithDefault]: Value<Variables[Name]> } &
  { [Name in Exclude<keyof Variables, WithDefault>]?: Value<Variables[Name]> }

const integers = (Object.keys(variables) as Array<keyof Environment>)
  .filter(name => 'type' in variables[name] && variables[name].type === 'integer')

/** What a fault of each variable says: what would be right, never the value, which may be a secret. */
const expected: Partial<Record<keyof Environment, string>> = {
  NODE_ENV: 'must be production, development or test, or not set',
  PORT: 'must be a port from 0 to 65535',
  OPS_PORT: 'must be a port from 0 to 65535',
  VERIFY_PORT: 'must be a port from 0 to 65535',
  LIMITER_ON_REDIS_FAILURE: 'must be local, closed or open',
  REDIS_TIMEOUT_MS: 'must be a whole number from 10 to 10000',
  DATABASE_TIMEOUT_MS: 'must be a whole number from 100 to 60000',
  USER_CREATION: 'must be open or admin',
  BCRYPT_COST: 'must be a whole number from 10 to 16',
  LOG_LEVEL: 'must be fatal, error, warn, info, debug, trace or silent',
  DOCS: 'must be true or false',
  UV_THREADPOOL_SIZE: 'must be a whole number from 1 to 1024'
}

/** Every fault of the environment, in one message. */
export class ConfigError extends Error {
  constructor (readonly faults: readonly string[]) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    const list = faults.map(fault => `  ${fault}`).join('\n')
    super(`The configuration has ${count}:\n${list}\nSee .env.example for every variable.`)
  }
}

/** The process's environment, with what `.env` in the working directory adds to it. @throws {ConfigError} */
export function loadConfig (purpose?: Purpose): Config {
  // libuv reads the size of its pool from the real environment alone.
  const { UV_THREADPOOL_SIZE, ...file } = readDotenv()
  return readConfig({ ...file, ...withoutEmpty(process.env) }, purpose)
}

function readDotenv (): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError([`.env: cannot be read: ${(error as Error).message}`])
  }
}

/** `NAME=` in a shell, a compose file or .env means unset, not an empty text. */
function withoutEmpty (environment: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
}

/**
 * Commands read the same configuration, but may be run by another user, who need not be able to write the audit log.
 */
interface Purpose { writesAuditLog: boolean }

/** @throws {ConfigError} */
export function readConfig (
  environment: NodeJS.Dict<string>, { writesAuditLog }: Purpose = { writesAuditLog: false }
): Config {
  const faults: string[] = []
  const env = readEnvironment(withoutEmpty(environment), faults)
  const production = env.NODE_ENV === 'production'
  if (production) faults.push(...missingInProduction(env))

  const parsed = <T>(name: keyof Environment, parse: (text: string) => T): T | undefined =>
    env[name] === undefined ? undefined : attempt(() => parse(String(env[name])), name, faults)
  const modules = readModules(env, faults)

  const config: Config = {
    production,
    host: oneAddress(env.HOST),
    port: env.PORT,
    opsHost: oneAddress(env.OPS_HOST),
    opsPort: env.OPS_PORT,
    verifyHost: oneAddress(env.VERIFY_HOST),
    verifyPort: env.VERIFY_PORT,
    databaseUrl: parsed('DATABASE_URL', parseDatabaseUrl),
    redisUrl: parsed('REDIS_URL', parseRedisUrl),
    onRedisFailure: env.LIMITER_ON_REDIS_FAILURE,
    redisTimeoutMs: env.REDIS_TIMEOUT_MS,
    databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
    dataDir: resolve(env.DATA_DIR),
    jwtSecrets: list(env.JWT_SECRET),
    jwtPrivateKeys: parsed('JWT_PRIVATE_KEY', parsePrivateKeys) ?? [],
    userCreation: env.USER_CREATION,
    smtpUrl: parsed('SMTP_URL', parseSmtpUrl),
    mailFrom: env.MAIL_FROM ?? `gatehouse@${isOrigin(env.PUBLIC_URL) ? new URL(env.PUBLIC_URL).hostname : 'localhost'}`,
    corsOrigins: list(env.CORS_ORIGINS),
    publicOrigin: env.PUBLIC_URL,
    trustProxy: list(env.TRUST_PROXY).flatMap(text => attempt(() => [parseNetwork(text)], 'TRUST_PROXY', faults) ?? []),
    limits: (env.LIMITS_FILE !== undefined && readLimits(env.LIMITS_FILE, ownPolicies(modules), faults)) ||
      defaultLimits,
    modules,
    bcryptCost: env.BCRYPT_COST,
    // One thread of libuv's pool stays free for files and DNS, which would otherwise wait for whole hashes.
    bcryptConcurrency: Math.max(1, Math.min(availableParallelism(), env.UV_THREADPOOL_SIZE - 1)),
    logLevel: env.LOG_LEVEL,
    auditLog: env.AUDIT_LOG === undefined ? undefined : resolve(env.AUDIT_LOG),
    docs: env.DOCS === undefined ? !production : env.DOCS === 'true'
  }
  if (writesAuditLog && config.auditLog !== undefined) {
    attempt(() => mustBeAppendable(config.auditLog!), 'AUDIT_LOG', faults)
  }
  config.jwtSecrets.forEach((secret, i) => {
    const fault = weakness(secret)
    if (fault) faults.push(`JWT_SECRET: secret ${i + 1} ${fault}; make one with: openssl rand -base64 48`)
  })
  const listeners = [
    ['', config.host, config.port],
    ['OPS_', config.opsHost, config.opsPort],
    ['VERIFY_', config.verifyHost, config.verifyPort]
  ] as const
  listeners.forEach(([name, host, port], i) => {
    if (!isHost(host)) faults.push(`${name}HOST: must be an address such as 127.0.0.1 or ::, or the name of a host`)
    for (const [other, otherHost, otherPort] of listeners.slice(0, i)) {
      if (port !== 0 && port === otherPort && host === otherHost) {
        faults.push(`${name}PORT: must be another port than ${other}PORT`)
      }
    }
  })
  if (config.verifyPort !== undefined && env.TRUST_PROXY === '') {
    faults.push('TRUST_PROXY: must be set with VERIFY_PORT: only the proxies in it may ask')
  }
  for (const origin of config.corsOrigins) {
    if (!isOrigin(origin)) {
      faults.push(`CORS_ORIGINS: "${origin}" must be an origin such as https://erp.example.edu, without a path`)
    }
  }
  if (config.publicOrigin !== undefined && !isOrigin(config.publicOrigin)) {
    faults.push('PUBLIC_URL: must be an origin such as https://login.example.edu, without a path')
  } else if (production && config.publicOrigin !== undefined && !isSafeForSecrets(config.publicOrigin)) {
    faults.push('PUBLIC_URL: must be of https in production: the links in mails are made of it, and hold tokens')
  }
  if (env.SMTP_URL !== undefined && env.PUBLIC_URL === undefined) {
    faults.push('PUBLIC_URL: must be set with SMTP_URL: the links in mails are made of it')
  }
  if (env.MAIL_FROM !== undefined && !isEmail(/^[^<>\r\n]*<([^<>]*)>$/.exec(env.MAIL_FROM)?.[1] ?? env.MAIL_FROM)) {
    faults.push('MAIL_FROM: must be an address such as gatehouse@school.example, or a name with one: Gatehouse ' +
      '<gatehouse@school.example>')
  }
  if (production && config.jwtSecrets.length === 0 && env.JWT_PRIVATE_KEY === undefined) {
    faults.push('JWT_SECRET: must be set in production, or JWT_PRIVATE_KEY; make one with: openssl rand -base64 48')
  }
  for (const { prefix, policy, token } of modules) {
    if (!isLimited(config.limits, policy)) {
      faults.push(`LIMITS_FILE: must define the policy ${policy}, which ${prefix} names`)
    }
    if (token === 'own' && config.jwtPrivateKeys.length === 0) {
      faults.push(`JWT_PRIVATE_KEY: must be set, because ${prefix} is to get tokens of its own`)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** A variable that is not valid is named, and takes its default, so that the rest can be judged too. */
function readEnvironment (data: NodeJS.Dict<string>, faults: string[]): Environment {
  // What JavaScript takes for a number as well, such as 0x1F, 3e3 and 1e400, is none here.
  const wrong = new Set(integers.filter(name => data[name] !== undefined && !/^\d{1,9}$/.test(data[name])))
  try {
    const schema = { type: 'object', properties: variables, required: [] }
    if (wrong.size === 0) return envSchema<Environment>({ schema, data, env: false })
  } catch (error) {
    const { errors } = error as { errors?: Array<{ instancePath: string }> }
    if (!errors) throw error
    for (const { instancePath } of errors) wrong.add(instancePath.slice(1) as keyof Environment)
  }
  for (const name of wrong) faults.push(`${name}: ${expected[name] ?? 'is not valid'}`)
  return readEnvironment(
    Object.fromEntries(Object.entries(data).filter(([name]) => !wrong.has(name as keyof Environment))), faults
  )
}

function missingInProduction (env: Environment): string[] {
  const faults = []
  if (env.DATABASE_URL === undefined) {
    faults.push('DATABASE_URL: must be set in production; the embedded database serves one process')
  }
  if (env.REDIS_URL === undefined) {
    faults.push('REDIS_URL: must be set in production; without it every replica counts for itself')
  }
  return faults
}

/** The policies that modules name, as the environment and `.env` have them. @throws {ConfigError} */
export function loadModulePolicies (): string[] {
  const faults: string[] = []
  const { MODULES, MODULES_FILE } = withoutEmpty({ ...readDotenv(), ...withoutEmpty(process.env) })
  const policies = ownPolicies(readModules({ MODULES, MODULES_FILE }, faults))
  if (faults.length > 0) throw new ConfigError(faults)
  return policies
}

function readModules ({ MODULES, MODULES_FILE }: NodeJS.Dict<string | number>, faults: string[]): Module[] {
  if (MODULES !== undefined && MODULES_FILE !== undefined) faults.push('MODULES_FILE: must not be set with MODULES')
  try {
    if (MODULES_FILE !== undefined) return parseModulesFile(readFileSync(String(MODULES_FILE), 'utf8'))
    if (MODULES !== undefined) return parseModules(String(MODULES))
  } catch (error) {
    const name = MODULES_FILE !== undefined ? 'MODULES_FILE' : 'MODULES'
    if (error instanceof ModulesError) faults.push(...error.faults.map(fault => `${name}: ${fault}`))
    else faults.push(`${name}: cannot be read: ${(error as Error).message}`)
  }
  return modulesOf(new Map())
}

function readLimits (file: string, modulePolicies: string[], faults: string[]): Limits | undefined {
  try {
    return parseLimits(readFileSync(file, 'utf8'), name => modulePolicies.includes(name))
  } catch (error) {
    if (error instanceof LimitsError) faults.push(...error.faults.map(fault => `LIMITS_FILE: ${fault}`))
    else faults.push(`LIMITS_FILE: cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

/** Makes no file: that is left to the first event. */
function mustBeAppendable (file: string): void {
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error(`${file} is no file`)
    accessSync(existsSync(file) ? file : `${dirname(file)}/`, constants.W_OK)
  } catch (error) {
    throw new Error(`cannot be written: ${(error as Error).message}`)
  }
}

function attempt<T> (read: () => T, name: string, faults: string[]): T | undefined {
  try {
    return read()
  } catch (error) {
    faults.push(`${name}: ${(error as Error).message}`)
    return undefined
  }
}

/** @returns what is wrong with a secret, undefined if it will do */
function weakness (secret: string): string | undefined {
  if (secret.length < 32) return 'is shorter than 32 characters'
  if (new Set(secret).size < 10) return 'repeats a few characters'
  if (/change.?me|placeholder|your.?secret|example/i.test(secret)) return 'is a placeholder'
  return undefined
}

/** No placeholder such as `*` either: an origin is compared as it is. */
function isOrigin (text: string | undefined): text is string {
  if (text === undefined || text.includes('*') || !URL.canParse(text)) return false
  return /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
}

/**
 * Fastify would serve `localhost` by a second server, for ::1, that has none of our handlers for broken connections.
 */
const oneAddress = (host: string): string => host === 'localhost' ? '127.0.0.1' : host

/** A name that is digits and dots only would be a mistyped address. */
function isHost (text: string): boolean {
  return isIP(text) !== 0 || (/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text) && !/^[\d.]+$/.test(text))
}

/** A token in a link stays between the user and us: encrypted, or on one machine. */
function isSafeForSecrets (origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || isLoopback(hostname)
}

function list (text: string): string[] {
  return text.split(',').map(item => item.trim()).filter(item => item !== '')
}

import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { envSchema } from 'env-schema'
import { Type, type Static } from 'typebox'
import { isEmail } from './auth/accounts.js'
import { parsePrivateKeys } from './auth/private-keys.js'
import { parseNetwork, type Network } from './limiter/client.js'
import type { FailureMode } from './limiter/fallback.js'
import { defaultLimits, LimitsError, parseLimits, type Limits } from './limiter/policies.js'
import { parseRedisUrl } from './limiter/redis.js'
import { isLoopback } from './loopback.js'

/** Everything that can be set from outside, checked and frozen. Units are in the names. */
export interface Config {
  production: boolean
  host: string
  port: number
  /** The second listener, for those who run the service. */
  opsHost: string
  opsPort: number
  /** PostgreSQL; undefined is the embedded one in `dataDir`. */
  databaseUrl: string | undefined
  /** Redis; undefined keeps the buckets in this process. */
  redisUrl: string | undefined
  onRedisFailure: FailureMode
  /** How much longer than usual Redis and PostgreSQL are waited for: 1, but for tests on a machine that may be busy. */
  timeoutFactor: number
  dataDir: string
  /** The first signs, all verify; empty means generated into `dataDir`. */
  jwtSecrets: readonly string[]
  /** The first signs, before any secret does; all verify. */
  jwtPrivateKeys: readonly KeyObject[]
  /** Who may create users: anyone, though of the lowest role, or administrators alone. */
  userCreation: 'open' | 'admin'
  /** A mail server; undefined writes mails to files in `dataDir`. */
  smtpUrl: string | undefined
  mailFrom: string
  corsOrigins: readonly string[]
  /** Where the service is seen from outside, as an origin. */
  publicOrigin: string | undefined
  trustProxy: readonly Network[]
  limits: Limits
  bcryptCost: number
  /** Hashes computed at a time. */
  bcryptConcurrency: number
  logLevel: string
}

const Environment = Type.Object({
  NODE_ENV: Type.Optional(Type.String()),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535 }),
  OPS_HOST: Type.String({ default: '127.0.0.1' }),
  OPS_PORT: Type.Integer({ default: 9464, minimum: 0, maximum: 65535 }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  REDIS_URL: Type.Optional(Type.String()),
  LIMITER_ON_REDIS_FAILURE: Type.Enum(['local', 'closed', 'open'], { default: 'local' }),
  DATA_DIR: Type.String({ default: './data' }),
  JWT_SECRET: Type.String({ default: '' }),
  JWT_PRIVATE_KEY: Type.Optional(Type.String()),
  USER_CREATION: Type.Enum(['open', 'admin'], { default: 'open' }),
  SMTP_URL: Type.Optional(Type.String()),
  MAIL_FROM: Type.Optional(Type.String()),
  CORS_ORIGINS: Type.String({ default: '' }),
  PUBLIC_URL: Type.Optional(Type.String()),
  TRUST_PROXY: Type.String({ default: '' }),
  LIMITS_FILE: Type.Optional(Type.String()),
  BCRYPT_COST: Type.Integer({ default: 12, minimum: 10, maximum: 16 }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  UV_THREADPOOL_SIZE: Type.Integer({ default: 4, minimum: 1, maximum: 1024 })
})

/** What a fault of each variable says: what would be right, never the value, which may be a secret. */
const expected: Partial<Record<keyof Static<typeof Environment>, string>> = {
  PORT: 'must be a port from 0 to 65535',
  OPS_PORT: 'must be a port from 0 to 65535',
  DATABASE_URL: 'must look like postgresql://user:password@host:5432/database',
  LIMITER_ON_REDIS_FAILURE: 'must be local, closed or open',
  USER_CREATION: 'must be open or admin',
  BCRYPT_COST: 'must be a whole number from 10 to 16',
  LOG_LEVEL: 'must be fatal, error, warn, info, debug, trace or silent',
  UV_THREADPOOL_SIZE: 'must be a whole number from 1 to 1024'
}

/** Every fault of the environment, in one message. */
export class ConfigError extends Error {
  constructor (readonly faults: readonly string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map(fault => `  ${fault}`).join('\n')}\nSee .env.example for every variable.`)
  }
}

/** The process's environment, with what `.env` in the working directory adds to it. @throws {ConfigError} */
export function loadConfig (): Config {
  // libuv reads the size of its pool from the real environment alone.
  const { UV_THREADPOOL_SIZE, ...file } = readDotenv()
  return readConfig({ ...file, ...withoutEmpty(process.env) })
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

/** @throws {ConfigError} */
export function readConfig (environment: NodeJS.Dict<string>): Config {
  const faults: string[] = []
  const env = readEnvironment(withoutEmpty(environment), faults)
  const production = env.NODE_ENV === 'production'
  if (production) faults.push(...missingInProduction(env))

  const config: Config = {
    production,
    host: env.HOST,
    port: env.PORT,
    opsHost: env.OPS_HOST,
    opsPort: env.OPS_PORT,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    onRedisFailure: env.LIMITER_ON_REDIS_FAILURE,
    timeoutFactor: 1,
    dataDir: resolve(env.DATA_DIR),
    jwtSecrets: list(env.JWT_SECRET),
    jwtPrivateKeys: (env.JWT_PRIVATE_KEY !== undefined && attempt(() => parsePrivateKeys(env.JWT_PRIVATE_KEY!), 'JWT_PRIVATE_KEY', faults)) || [],
    userCreation: env.USER_CREATION,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? `gatehouse@${isOrigin(env.PUBLIC_URL) ? new URL(env.PUBLIC_URL).hostname : 'localhost'}`,
    corsOrigins: list(env.CORS_ORIGINS),
    publicOrigin: env.PUBLIC_URL,
    trustProxy: list(env.TRUST_PROXY).flatMap(text => attempt(() => [parseNetwork(text)], 'TRUST_PROXY', faults) ?? []),
    limits: (env.LIMITS_FILE !== undefined && readLimits(env.LIMITS_FILE, faults)) || defaultLimits,
    bcryptCost: env.BCRYPT_COST,
    // One thread of libuv's pool stays free for files and DNS, which would otherwise wait for whole hashes.
    bcryptConcurrency: Math.max(1, Math.min(availableParallelism(), env.UV_THREADPOOL_SIZE - 1)),
    logLevel: env.LOG_LEVEL
  }
  if (env.REDIS_URL !== undefined) attempt(() => parseRedisUrl(env.REDIS_URL!), 'REDIS_URL', faults)
  config.jwtSecrets.forEach((secret, i) => {
    const fault = weakness(secret)
    if (fault) faults.push(`JWT_SECRET: secret ${i + 1} ${fault}; make one with: openssl rand -base64 48`)
  })
  for (const origin of config.corsOrigins) {
    if (!isOrigin(origin)) faults.push(`CORS_ORIGINS: "${origin}" must be an origin such as https://erp.example.edu, without a path`)
  }
  if (config.publicOrigin !== undefined && !isOrigin(config.publicOrigin)) {
    faults.push('PUBLIC_URL: must be an origin such as https://login.example.edu, without a path')
  } else if (production && config.publicOrigin !== undefined && !isSafeForSecrets(config.publicOrigin)) {
    faults.push('PUBLIC_URL: must be of https in production: the links in mails are made of it, and hold tokens')
  }
  if (env.SMTP_URL !== undefined && env.PUBLIC_URL === undefined) faults.push('PUBLIC_URL: must be set with SMTP_URL: the links in mails are made of it')
  if (env.MAIL_FROM !== undefined && !isEmail(/^[^<>\r\n]*<([^<>]*)>$/.exec(env.MAIL_FROM)?.[1] ?? env.MAIL_FROM)) {
    faults.push('MAIL_FROM: must be an address such as gatehouse@school.example, or a name with one: Gatehouse <gatehouse@school.example>')
  }
  if (env.SMTP_URL !== undefined && !isSmtpUrl(env.SMTP_URL)) {
    faults.push('SMTP_URL: must look like smtp://user:password@host:587, or smtps:// for TLS from the first byte; write @ as %40, / as %2F and # as %23 in a user or password')
  }
  if (production && config.jwtSecrets.length === 0 && env.JWT_PRIVATE_KEY === undefined) {
    faults.push('JWT_SECRET: must be set in production, or JWT_PRIVATE_KEY; make one with: openssl rand -base64 48')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** A variable that is not valid is told, and takes its default, so that the rest can be judged too. */
function readEnvironment (data: NodeJS.Dict<string>, faults: string[]): Static<typeof Environment> {
  try {
    return envSchema<Static<typeof Environment>>({ schema: Environment, data, env: false })
  } catch (error) {
    const { errors } = error as { errors?: Array<{ instancePath: string }> }
    if (!errors) throw error
    const names = new Set(errors.map(({ instancePath }) => instancePath.slice(1)))
    for (const name of names) faults.push(`${name}: ${expected[name as keyof typeof expected] ?? 'is not valid'}`)
    return readEnvironment(Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name))), faults)
  }
}

function missingInProduction (env: Static<typeof Environment>): string[] {
  const faults = []
  if (env.DATABASE_URL === undefined) faults.push('DATABASE_URL: must be set in production; the embedded database serves one process')
  if (env.REDIS_URL === undefined) faults.push('REDIS_URL: must be set in production; without it every replica counts for itself')
  return faults
}

function readLimits (file: string, faults: string[]): Limits | undefined {
  try {
    return parseLimits(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof LimitsError) faults.push(...error.faults.map(fault => `LIMITS_FILE: ${fault}`))
    else faults.push(`LIMITS_FILE: cannot be read: ${(error as Error).message}`)
    return undefined
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

function isOrigin (text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
}

/** A token in a link stays between the user and us: encrypted, or on one machine. */
function isSafeForSecrets (origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || isLoopback(hostname)
}

function isSmtpUrl (text: string): boolean {
  try {
    const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
    decodeURIComponent(username + password)
    return /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && hash === '' &&
      /^(\?tls=optional)?$/.test(search) && (username !== '' || password === '')
  } catch {
    return false
  }
}

function list (text: string): string[] {
  return text.split(',').map(item => item.trim()).filter(item => item !== '')
}

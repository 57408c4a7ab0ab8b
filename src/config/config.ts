import type { KeyObject } from 'node:crypto'
import type { Languages } from '../languages/languages.js'
import type { DatabaseFailureMode } from '../auth/revocations.js'
import type { SmtpUrl } from '../mail/smtp-url.js'
import type { DatabaseUrl } from '../database/database-url.js'
import type { Network } from '../base/networks.js'
import type { FailureMode } from '../limiter/layers/fallback.js'
import type { Limits } from '../limiter/limits/policies.js'
import type { RedisUrl } from '../limiter/redis/redis-url.js'
import type { Module } from '../modules/module.js'
import type { SpanExport } from './span-export.js'

/** Everything that can be set from outside, checked and frozen. Units are in the names. */
export interface Config {
  production: boolean
  host: string
  port: number
  /** The second listener, for operators. */
  opsHost: string
  opsPort: number
  /** Networks whose requests are answered, besides this machine; empty for all. */
  opsNetworks: readonly Network[]
  /** The token for the console and the bucket API there. Without it, one is made, but in production both are off. */
  opsToken: string | undefined
  /** The verify listener, for proxies that ask about their requests. Without a port there is none. */
  verifyHost: string
  verifyPort: number | undefined
  /** PostgreSQL; undefined for the embedded one in `dataDir`. */
  databaseUrl: DatabaseUrl | undefined
  /** Redis; undefined keeps the buckets in this process. */
  redisUrl: RedisUrl | undefined
  onRedisFailure: FailureMode
  /** A take that Redis has not answered after this time is decided without Redis. */
  redisTimeoutMs: number
  /** A query that PostgreSQL has not answered after this time has failed. */
  databaseTimeoutMs: number
  /** What happens to tokens while PostgreSQL does not answer. */
  onDatabaseFailure: DatabaseFailureMode
  dataDir: string
  /** The first one signs, and all verify. If there are neither secrets nor private keys, `dataDir` gets a secret. */
  jwtSecrets: readonly string[]
  /** The first one signs instead of a secret, and all verify. */
  jwtPrivateKeys: readonly KeyObject[]
  /** Who may create users: `open` lets anyone create users of the lowest role, `admin` lets only administrators. */
  userCreation: 'open' | 'admin'
  /** How long after its login a session ends at the latest; 0 for no sessions. */
  sessionHours: number
  /** A mail server; undefined writes mails to files in `dataDir`. */
  smtpUrl: SmtpUrl | undefined
  mailFrom: string
  /** What pages and mails call the service. */
  appName: string
  /** Where its users log in; undefined if pages and mails do not say it. */
  loginUrl: URL | undefined
  /** The texts of pages and mails. */
  languages: Languages
  corsOrigins: readonly string[]
  /** What pages of other origins may send besides the usual headers. */
  corsHeaders: readonly string[]
  /** The public origin of the service. */
  publicOrigin: string | undefined
  trustProxy: readonly Network[]
  /** How long an idle connection waits for its next request. */
  keepAliveSeconds: number
  limits: Limits
  /** The modules behind the gateway. */
  modules: readonly Module[]
  bcryptCost: number
  /** How many hashes are computed at a time. */
  bcryptConcurrency: number
  logLevel: string
  /** The file to which events of accounts are appended; undefined for none. */
  auditLog: string | undefined
  /** Whether the API is documented at /docs. */
  docs: boolean
  /** Where spans go; undefined if there is no tracing. */
  tracing: SpanExport | undefined
  /** Names of settings that nobody knows, and parts of a setting that have no effect. */
  warnings: readonly string[]
}

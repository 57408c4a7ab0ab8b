import { envSchema } from 'env-schema'

const MAX_PORT = 65535

/** All settings, as a JSON schema for env-schema. The table in docs/reference.md is made of it. */
export const variables = {
  NODE_ENV: { enum: ['production', 'development', 'test'], description: '`production` refuses what is not safe there' },
  HOST: { type: 'string', default: '127.0.0.1', description: 'Where the service listens' },
  PORT: { type: 'integer', default: 3000, minimum: 0, maximum: MAX_PORT, description: 'Its port; 0 takes a free one' },
  OPS_HOST: { type: 'string', default: '127.0.0.1', description: 'Where health and metrics are, for operators only' },
  OPS_PORT: { type: 'integer', default: 9464, minimum: 0, maximum: MAX_PORT, description: 'Their port' },
  OPS_NETWORKS: {
    type: 'string',
    default: '',
    description: 'Comma-separated networks that may ask there, besides this machine; if not set, all that reach it'
  },
  OPS_TOKEN: {
    type: 'string',
    description: 'Secret for console and bucket API; if not set, one is in the log, and in production both are off'
  },
  VERIFY_HOST: { type: 'string', default: '127.0.0.1', description: 'Where proxies may ask about their requests' },
  VERIFY_PORT: { type: 'integer', minimum: 0, maximum: MAX_PORT, description: 'Its port; if not set, nobody may ask' },
  DATABASE_URL: {
    type: 'string', description: 'PostgreSQL; if not set, an embedded one in `DATA_DIR`. Required in production'
  },
  REDIS_URL: { type: 'string', description: 'Redis; if not set, the buckets are in memory. Required in production' },
  REDIS_PREFIX: {
    type: 'string', description: 'Stands before all keys and channels, so that several deployments can use one Redis'
  },
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
  TOKENS_ON_DATABASE_FAILURE: {
    enum: ['known', 'closed'],
    default: 'known',
    description: 'Without PostgreSQL: refuse the tokens that are known as revoked, or answer 503 to every token'
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
  SESSION_HOURS: {
    type: 'integer',
    default: 12,
    minimum: 0,
    maximum: 168,
    description: 'A session ends so long after its login; 0 turns sessions off: an hour later, users log in again'
  },
  SMTP_URL: { type: 'string', description: 'Mail server; if not set, mails are files in `DATA_DIR/outbox`' },
  SMTP_TOKEN_URL: {
    type: 'string', description: 'OAuth 2 for the mail server: who issues tokens, instead of a password in `SMTP_URL`'
  },
  MAIL_FROM: { type: 'string', description: 'Sender of mails; if not set, `gatehouse@` the host of `PUBLIC_URL`' },
  APP_NAME: { type: 'string', default: 'gatehouse', description: 'What pages and mails call the service' },
  LOGIN_URL: {
    type: 'string', description: 'Where users log in: pages and mails lead there; if not set, they lead nowhere'
  },
  CORS_ORIGINS: {
    type: 'string', default: '', description: 'Comma-separated origins of the pages that may use the API'
  },
  CORS_HEADERS: {
    type: 'string', default: '', description: 'Comma-separated request headers that they may send, besides usual ones'
  },
  PUBLIC_URL: { type: 'string', description: 'The origin under which users see the service. Required with `SMTP_URL`' },
  TRUST_PROXY: {
    type: 'string',
    default: '',
    description: 'Comma-separated addresses, or networks, of the proxies whose `X-Forwarded-For` is believed'
  },
  CLIENT_IPV6_PREFIX: {
    type: 'integer',
    default: 64,
    minimum: 48,
    maximum: 64,
    description: 'How many bits of an IPv6 address are one client, the same for all replicas'
  },
  KEEP_ALIVE_SECONDS: {
    type: 'integer',
    default: 920,
    minimum: 1,
    maximum: 7200,
    description: 'How long a connection may wait for its next request: longer than the balancer in front keeps it'
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
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'string', description: 'Collector of OpenTelemetry, by HTTP; if not set, there is no tracing'
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { type: 'string', description: 'The same for spans alone, with its path' },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    type: 'string', description: '`http/protobuf`, or `http/json`; if not set, `http/protobuf`'
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { type: 'string', description: 'The same for spans alone' },
  OTEL_EXPORTER_OTLP_HEADERS: { type: 'string', description: 'Headers for the collector: `name=value,name=value`' },
  OTEL_TRACES_EXPORTER: {
    type: 'string', description: '`otlp`, `console` or `none`; if not set, `otlp` where there is a collector'
  },
  OTEL_TRACES_SAMPLER: {
    type: 'string', description: 'Which traces are recorded; if not set, `parentbased_always_on`'
  },
  OTEL_TRACES_SAMPLER_ARG: { type: 'string', description: 'The share of `traceidratio` samplers, from 0 to 1' },
  OTEL_SERVICE_NAME: { type: 'string', description: 'What traces call the service; if not set, `gatehouse`' },
  OTEL_RESOURCE_ATTRIBUTES: { type: 'string', description: 'What spans say of the replica: `name=value,name=value`' },
  OTEL_SDK_DISABLED: { type: 'string', description: '`true` turns tracing off' },
  UV_THREADPOOL_SIZE: {
    type: 'integer',
    default: 4,
    minimum: 1,
    maximum: 1024,
    description: 'Threads for passwords and files. Not read from `.env`'
  }
} as const

/** Those whose value may be in a file, which `NAME_FILE` names. */
export const secrets = [
  'DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'JWT_PRIVATE_KEY', 'SMTP_URL', 'SMTP_TOKEN_URL', 'OPS_TOKEN'
] as const satisfies Array<keyof typeof variables>

/** What else `.env` holds for docker-compose.yml. */
export const composeOnly: readonly string[] = [
  'SECRETS_DIR', 'HTTP_PORT', 'HTTPS_PORT', 'STATS_PORT', 'MAIL_PORT',
  'PROMETHEUS_PORT', 'GRAFANA_PORT', 'TLS_CERTIFICATE', 'TLS_GROUP', 'EDGE_NETWORKS', 'PROXY_PROTOCOL_NETWORKS',
  'FRONT_SUBNET', 'MONITORING_SUBNET', 'STUDENT_DATABASE_PASSWORD'
]

type Variables = typeof variables
type Value<Schema> =
  Schema extends { enum: ReadonlyArray<infer Word> } ? Word : Schema extends { type: 'integer' } ? number : string
type WithDefault =
  { [Name in keyof Variables]: Variables[Name] extends { default: unknown } ? Name : never }[keyof Variables]
/** The values of the variables. A variable that is not set has its default or is undefined. */
export type Environment =
  { [Name in WithDefault]: Value<Variables[Name]> } &
  { [Name in Exclude<keyof Variables, WithDefault>]?: Value<Variables[Name]> }

/** One variable of the schema. The table in docs/reference.md also uses this. */
export interface Variable {
  type?: string
  enum?: readonly string[]
  default?: string | number
  minimum?: number
  maximum?: number
  description: string
}

const integers = (Object.keys(variables) as Array<keyof Environment>)
  .filter(name => 'type' in variables[name] && variables[name].type === 'integer')

/** An invalid variable is reported and gets its default, so that the others can be checked, too. */
export function readEnvironment (data: NodeJS.Dict<string>, faults: string[]): Environment {
  // JavaScript also accepts numbers such as 0x1F, 3e3 and 1e400, which are not valid here.
  const wrong = new Set(integers.filter(name => data[name] !== undefined && !/^\d{1,9}$/.test(data[name])))
  try {
    const schema = { type: 'object', properties: variables, required: [] }
    if (wrong.size === 0) return envSchema<Environment>({ schema, data, env: false })
  } catch (error) {
    const { errors } = error as { errors?: Array<{ instancePath: string }> }
    if (!errors) throw error
    for (const { instancePath } of errors) wrong.add(instancePath.slice(1) as keyof Environment)
  }
  for (const name of wrong) faults.push(`${name}: ${expectation(variables[name])}`)
  return readEnvironment(
    Object.fromEntries(Object.entries(data).filter(([name]) => !wrong.has(name as keyof Environment))), faults
  )
}

/** Says what is expected, but never quotes the value, which may be a secret. */
function expectation (variable: Variable): string {
  const { enum: words, minimum, maximum } = variable
  if (words) {
    const choice = `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
    return variable.default === undefined ? `${choice}, or not set` : choice
  }
  if (minimum === undefined) return 'is not valid'
  return `must be a ${maximum === MAX_PORT ? 'port' : 'whole number'} from ${minimum} to ${maximum}`
}

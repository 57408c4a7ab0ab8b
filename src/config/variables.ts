import { envSchema } from 'env-schema'

const MAX_PORT = 65535

/** All settings, as a JSON schema for env-schema. `.env.example` says what each does. */
export const variables = {
  NODE_ENV: { enum: ['production', 'development', 'test'] },
  HOST: { type: 'string', default: '127.0.0.1' },
  PORT: { type: 'integer', default: 3000, minimum: 0, maximum: MAX_PORT },
  OPS_HOST: { type: 'string', default: '127.0.0.1' },
  OPS_PORT: { type: 'integer', default: 9464, minimum: 0, maximum: MAX_PORT },
  OPS_NETWORKS: { type: 'string', default: '' },
  OPS_TOKEN: { type: 'string' },
  VERIFY_HOST: { type: 'string', default: '127.0.0.1' },
  VERIFY_PORT: { type: 'integer', minimum: 0, maximum: MAX_PORT },
  DATABASE_URL: { type: 'string' },
  REDIS_URL: { type: 'string' },
  REDIS_PREFIX: { type: 'string' },
  LIMITER_ON_REDIS_FAILURE: { enum: ['local', 'closed', 'open'], default: 'local' },
  REDIS_TIMEOUT_MS: { type: 'integer', default: 100, minimum: 10, maximum: 10_000 },
  DATABASE_TIMEOUT_MS: { type: 'integer', default: 1000, minimum: 100, maximum: 60_000 },
  TOKENS_ON_DATABASE_FAILURE: { enum: ['known', 'closed'], default: 'known' },
  DATA_DIR: { type: 'string', default: './data' },
  JWT_SECRET: { type: 'string', default: '' },
  JWT_PRIVATE_KEY: { type: 'string' },
  SECOND_FACTOR_KEY: { type: 'string', default: '' },
  SECOND_FACTOR_ROLES: { type: 'string', default: '' },
  OIDC_FILE: { type: 'string' },
  USER_CREATION: { enum: ['open', 'admin'], default: 'open' },
  SESSION_HOURS: { type: 'integer', default: 12, minimum: 0, maximum: 168 },
  SMTP_URL: { type: 'string' },
  SMTP_TOKEN_URL: { type: 'string' },
  MAIL_FROM: { type: 'string' },
  APP_NAME: { type: 'string', default: 'gatehouse' },
  LOGIN_URL: { type: 'string' },
  CORS_ORIGINS: { type: 'string', default: '' },
  CORS_HEADERS: { type: 'string', default: '' },
  PUBLIC_URL: { type: 'string' },
  TRUST_PROXY: { type: 'string', default: '' },
  CLIENT_IPV6_PREFIX: { type: 'integer', default: 64, minimum: 48, maximum: 64 },
  KEEP_ALIVE_SECONDS: { type: 'integer', default: 920, minimum: 1, maximum: 7200 },
  LIMITS_FILE: { type: 'string' },
  MODULES: { type: 'string' },
  MODULES_FILE: { type: 'string' },
  BCRYPT_COST: { type: 'integer', default: 12, minimum: 10, maximum: 16 },
  LOG_LEVEL: { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
  AUDIT_LOG: { type: 'string' },
  DOCS: { enum: ['true', 'false'] },
  OTEL_EXPORTER_OTLP_ENDPOINT: { type: 'string' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { type: 'string' },
  OTEL_EXPORTER_OTLP_PROTOCOL: { type: 'string' },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { type: 'string' },
  OTEL_EXPORTER_OTLP_HEADERS: { type: 'string' },
  OTEL_TRACES_EXPORTER: { type: 'string' },
  OTEL_TRACES_SAMPLER: { type: 'string' },
  OTEL_TRACES_SAMPLER_ARG: { type: 'string' },
  OTEL_SERVICE_NAME: { type: 'string' },
  OTEL_RESOURCE_ATTRIBUTES: { type: 'string' },
  OTEL_SDK_DISABLED: { type: 'string' },
  UV_THREADPOOL_SIZE: { type: 'integer', default: 4, minimum: 1, maximum: 1024 }
} as const

/** Those whose value may be in a file, which `NAME_FILE` names. */
export const secrets = [
  'DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'JWT_PRIVATE_KEY', 'SECOND_FACTOR_KEY', 'SMTP_URL',
  'SMTP_TOKEN_URL', 'OPS_TOKEN'
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
}

const integers = (Object.keys(variables) as Array<keyof Environment>)
  .filter(name => 'type' in variables[name] && variables[name].type === 'integer')

/** One object, because Ajv keeps what it compiled for each. */
const schema = { type: 'object', properties: variables, required: [] }

/** An invalid variable is reported and gets its default, so that the others can be checked, too. */
export function readEnvironment (data: NodeJS.Dict<string>, faults: string[]): Environment {
  // JavaScript also accepts numbers such as 0x1F, 3e3 and 1e400, which are not valid here.
  const wrong = new Set(integers.filter(name => data[name] !== undefined && !/^\d{1,9}$/.test(data[name])))
  try {
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

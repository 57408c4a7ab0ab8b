import { isIP } from 'node:net'
import { ROLE_OR_TYPE, ROLE_OR_TYPE_RULE } from '../auth/rules.js'
import { parseSender } from '../mail/addresses.js'
import type { Config } from './config.js'
import { hasPolicy } from '../limiter/limits/policies.js'
import { isLoopback } from '../base/loopback.js'
import { secretWeaknessOf } from '../base/secret-strength.js'
import { isOrigin } from './parsers.js'
import type { Environment } from './variables.js'

/** Faults that the schema does not find: in the text of a setting, or in a combination of settings. */
export function configFaults (config: Config, env: Environment, serves: boolean): string[] {
  return [
    ...config.production ? faultsInProduction(config, env, serves) : [],
    ...faultsOfProxies(config),
    ...faultsOfSecrets(config),
    ...faultsOfListeners(config, env),
    ...faultsOfOrigins(config),
    ...faultsOfMails(config, env),
    ...faultsOfModules(config),
    ...faultsOfSignIn(config)
  ]
}

function faultsOfProxies ({ trustProxy }: Config): string[] {
  if (trustProxy.every(({ prefixLength }) => prefixLength > 0)) return []
  return ['TRUST_PROXY: names everyone, so any client could claim any address; name your proxies\' addresses alone']
}

function faultsInProduction (
  { publicOrigin, jwtSecrets, secondFactorKeys, secondFactorRoles }: Config, env: Environment, serves: boolean
): string[] {
  const faults = []
  if (env.DATABASE_URL === undefined) {
    faults.push('DATABASE_URL: must be set in production; the embedded database serves one process')
  }
  if (!serves) return faults
  if (env.REDIS_URL === undefined) {
    faults.push('REDIS_URL: must be set in production; without it every replica counts for itself')
  }
  if (isOrigin(publicOrigin) && !isSafeForSecrets(publicOrigin)) {
    faults.push('PUBLIC_URL: must be of https in production: the links in mails are made of it, and hold tokens')
  }
  if (jwtSecrets.length === 0 && env.JWT_PRIVATE_KEY === undefined) {
    faults.push('JWT_SECRET: must be set in production, or JWT_PRIVATE_KEY; ' + MAKE_ONE)
  }
  if (secondFactorRoles.length > 0 && secondFactorKeys.length === 0) {
    faults.push(`SECOND_FACTOR_KEY: must be set with SECOND_FACTOR_ROLES; ${MAKE_ONE}`)
  }
  return faults
}

const MAKE_ONE = 'make one with: openssl rand -base64 48'

function faultsOfSecrets ({ jwtSecrets, secondFactorKeys, secondFactorRoles, opsToken }: Config): string[] {
  const faults = [...weaknessesOf('JWT_SECRET', jwtSecrets), ...weaknessesOf('SECOND_FACTOR_KEY', secondFactorKeys)]
  const fault = opsToken === undefined ? undefined : secretWeaknessOf(opsToken)
  if (fault) faults.push(`OPS_TOKEN: ${fault}; ${MAKE_ONE}`)
  else if (opsToken !== undefined && !/^[\x21-\x7e]*$/.test(opsToken)) {
    faults.push('OPS_TOKEN: must be of visible ASCII characters, because it is sent in a header')
  }
  faults.push(...secondFactorRoles.filter(role => !new RegExp(ROLE_OR_TYPE).test(role)).map(role =>
    `SECOND_FACTOR_ROLES: "${role}" ${ROLE_OR_TYPE_RULE}`))
  return faults
}

const weaknessesOf = (name: string, secrets: readonly string[]): string[] => secrets.flatMap((secret, i) => {
  const fault = /\p{Cc}/u.test(secret)
    ? 'has a line break or another control character; separate secrets by commas'
    : secretWeaknessOf(secret)
  return fault ? [`${name}: secret ${i + 1} ${fault}; ${MAKE_ONE}`] : []
})

function faultsOfListeners (config: Config, env: Environment): string[] {
  const faults: string[] = []
  const listeners = [
    ['', config.host, config.port],
    ['OPS_', config.opsHost, config.opsPort],
    ['VERIFY_', config.verifyHost, config.verifyPort]
  ] as const
  listeners.forEach(([name, host, port], i) => {
    if (!isHostName(host)) faults.push(`${name}HOST: must be an address such as 127.0.0.1 or ::, or the name of a host`)
    for (const [other, otherHost, otherPort] of listeners.slice(0, i)) {
      if (port !== 0 && port === otherPort && host === otherHost) {
        faults.push(`${name}PORT: must be another port than ${other}PORT`)
      }
    }
  })
  if (config.verifyPort !== undefined && env.TRUST_PROXY === '') {
    faults.push('TRUST_PROXY: must be set with VERIFY_PORT: only the proxies in it may ask')
  }
  return faults
}

function faultsOfOrigins ({ corsOrigins, corsHeaders, publicOrigin }: Config): string[] {
  const faults = corsOrigins.filter(origin => !isOrigin(origin) && !isOriginOfApp(origin)).map(origin =>
    `CORS_ORIGINS: "${origin}" must be an origin such as https://erp.example.edu or capacitor://localhost, without a path`)
  faults.push(...corsHeaders.filter(name => !/^[\w!#$%&'+.^`|~-]+$/.test(name)).map(name =>
    `CORS_HEADERS: "${name}" must be the name of a header such as X-Tenant`))
  if (publicOrigin !== undefined && !isOrigin(publicOrigin)) {
    faults.push('PUBLIC_URL: must be an origin such as https://login.example.edu, without a path')
  }
  return faults
}

function faultsOfMails ({ smtpUrl }: Config, env: Environment): string[] {
  const faults = []
  const { auth, token } = smtpUrl ?? {}
  if (auth?.pass === '' && env.SMTP_TOKEN_URL === undefined) {
    faults.push('SMTP_URL: has a user without a password; add it, or set SMTP_TOKEN_URL for a login by a token')
  }
  if (token && auth?.pass !== '') {
    faults.push('SMTP_URL: must have a user and no password with SMTP_TOKEN_URL, such as ' +
      'smtp://gatehouse%40school.example@smtp.office365.com:587')
  }
  if (env.SMTP_TOKEN_URL !== undefined && env.SMTP_URL === undefined) {
    faults.push('SMTP_URL: must be set with SMTP_TOKEN_URL')
  }
  if (env.SMTP_URL !== undefined && env.PUBLIC_URL === undefined) {
    faults.push('PUBLIC_URL: must be set with SMTP_URL: the links in mails are made of it')
  }
  if (env.MAIL_FROM !== undefined && !parseSender(env.MAIL_FROM)) {
    faults.push('MAIL_FROM: must be an address such as gatehouse@school.example, or a name with one: Gatehouse ' +
      '<gatehouse@school.example>')
  }
  return faults
}

function faultsOfModules ({ modules, limits, jwtPrivateKeys }: Config): string[] {
  return modules.flatMap(({ prefix, policy, token }) => {
    const faults = []
    if (!hasPolicy(limits, policy)) {
      faults.push(`LIMITS_FILE: must define the policy ${policy}, which ${prefix} names`)
    }
    if (token === 'own' && jwtPrivateKeys.length === 0) {
      faults.push(`JWT_PRIVATE_KEY: must be set, because ${prefix} is to get tokens of its own`)
    }
    return faults
  })
}

/** Tickets go to the login page, and the provider compares the redirect URI literally. */
function faultsOfSignIn ({ signInProviders, loginUrl, publicOrigin, production, sessionHours }: Config): string[] {
  if (signInProviders.length === 0) return []
  const faults = []
  if (!loginUrl) faults.push('LOGIN_URL: must be set with OIDC_FILE: people come back there')
  else if (loginUrl.hash) faults.push('LOGIN_URL: must have no fragment with OIDC_FILE, which puts a ticket there')
  if (production && publicOrigin === undefined) {
    faults.push('PUBLIC_URL: must be set with OIDC_FILE: the redirect URI is made of it')
  }
  if (sessionHours === 0) faults.push('SESSION_HOURS: must not be 0 with OIDC_FILE: people would sign in each hour')
  return faults
}

/**
 * Apps and extensions have schemes of their own: `capacitor://localhost`, `chrome-extension://ID`. Pages without an
 * origin, such as files, send `null`, as anybody may.
 */
function isOriginOfApp (text: string): boolean {
  const [, scheme = ''] = /^([a-z][a-z\d+.-]*):\/\/[\w.-]+(:\d{1,5})?$/.exec(text) ?? []
  return scheme !== '' && !['http', 'https', 'file', 'ftp', 'ws', 'wss', 'data', 'blob'].includes(scheme)
}

/** A name of only digits and dots is a mistyped address. */
function isHostName (text: string): boolean {
  return isIP(text) !== 0 || (/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text) && !/^[\d.]+$/.test(text))
}

/** A link with a token must not be readable on the way, so it needs TLS or has to stay on one machine. */
function isSafeForSecrets (origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || isLoopback(hostname)
}

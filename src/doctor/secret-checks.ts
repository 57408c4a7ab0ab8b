import type { Config } from '../config/config.js'
import type { DatabaseUrl } from '../database/database-url.js'
import { action, note, ok, type Finding } from '../base/finding.js'
import { groupBy } from '../base/get-or-create.js'
import { isLoopback } from '../base/loopback.js'
import { secretWeaknessOf } from '../base/secret-strength.js'
import type { Checks } from './run-checks.js'

/** A server answers a few guesses a second, so its password may be shorter than a secret. */
const PASSWORD_LENGTH = 12
const NEW_SECRET = 'openssl rand -base64 48'
const common = /^(gatehouse|postgres|redis|password|passw0rd|secret|admin|root|changeme|test|demo|owner|123\d*)\d*$/i

interface Secret { name: string, value: string }

/** Checks of the configuration alone. No finding quotes a secret. */
export function secretChecks (config: Config): Checks {
  const { production, databaseUrl, redisUrl, smtpUrl, jwtSecrets, jwtPrivateKeys, secondFactorKeys, opsToken } = config
  const servers = [
    databaseUrl && {
      name: 'DATABASE_URL',
      ...databaseUrl.server,
      needsPassword: !isOnThisMachine(databaseUrl.server.host) && !hasCertificate(databaseUrl.server)
    },
    redisUrl && {
      name: 'REDIS_URL',
      user: redisUrl.server.username,
      password: redisUrl.server.password || undefined,
      needsPassword: !redisUrl.nodes.every(({ host }) => isOnThisMachine(host))
    }
  ].filter(server => server !== undefined)
  const smtp = smtpUrl?.token
    ? { name: 'SMTP_TOKEN_URL', value: smtpUrl.token.clientSecret }
    : smtpUrl?.auth && { name: 'SMTP_URL', value: smtpUrl.auth.pass }
  const passwords = servers.flatMap(({ name, password }) => password === undefined ? [] : { name, value: password })
  const secrets = jwtSecrets.map((value, i): Secret => ({ name: `JWT_SECRET (${i + 1})`, value }))
  const ofFactors = secondFactorKeys.map((value, i): Secret => ({ name: `SECOND_FACTOR_KEY (${i + 1})`, value }))
  const ops = opsToken === undefined ? [] : [{ name: 'OPS_TOKEN', value: opsToken }]
  /** A setting that is careless in production may be fine on a developer's machine. */
  const careless = production ? action : note

  return {
    environment: () => production
      ? ok('NODE_ENV is production')
      : note('NODE_ENV is not production, so that parts are permitted that are not safe there', 'NODE_ENV=production'),
    'token-secrets': () => {
      if (secrets.length === 0 && jwtPrivateKeys.length === 0) {
        const found = 'the secret of tokens is generated into DATA_DIR, so replicas need a common one'
        return careless(found, `set JWT_SECRET, made with: ${NEW_SECRET}`)
      }
      return ok('what signs tokens is set')
    },
    'shared-secrets': () => judgeShared([...secrets, ...ofFactors, ...ops, ...passwords, ...smtp ? [smtp] : []]),
    passwords: () => servers.map(({ name, user, password, needsPassword }) => {
      const fault = faultOf(password, user, needsPassword)
      const remedy = `give its user a new one (${NEW_SECRET}), and set ${name}`
      if (fault !== undefined) return careless(`the password of ${name} ${fault}`, remedy)
      return ok(password === undefined ? `${name} needs no password` : `the password of ${name} will do`)
    }),
    mails: () => smtpUrl
      ? judgeMails(smtpUrl)
      : careless('without SMTP_URL mails become files in DATA_DIR/outbox, which no user reads', 'set SMTP_URL')
  }
}

const namesOf = (secrets: Secret[]): string => secrets.map(({ name }) => name).join(' and ')
const hasCertificate = ({ ssl }: DatabaseUrl['server']): boolean => typeof ssl === 'object' && ssl.key !== undefined
const isOnThisMachine = (host: string): boolean => isLoopback(host) || host.startsWith('/')

function judgeShared (secrets: Secret[]): Finding {
  const shared = groupBy(secrets, ({ value }) => value).filter(group => group.length > 1)
  if (shared.length === 0) return ok('every secret has one purpose')
  return action(`${shared.map(namesOf).join('; ')} are the same: whoever learns one has the other`,
    `make each with: ${NEW_SECRET}`)
}

/** @returns undefined for an acceptable password */
function faultOf (password: string | undefined, user: string | undefined, isNeeded: boolean): string | undefined {
  // Without a password, PostgreSQL or Redis identifies clients in another way: by a socket, a certificate, or this
  // machine's address.
  if (password === undefined) return isNeeded ? 'is missing, although it is on another machine' : undefined
  if (password.toLowerCase() === user?.toLowerCase()) return 'is the name of its user'
  if (common.test(password)) return 'is one of the first that are tried'
  return secretWeaknessOf(password, PASSWORD_LENGTH)
}

function judgeMails ({ host, requireTLS, secure }: NonNullable<Config['smtpUrl']>): Finding {
  if (secure || requireTLS || isLoopback(host)) return ok('mails reach their server over TLS, or on this machine')
  return note(`mails go to ${host} with any certificate, or without TLS, and hold links that set passwords`,
    'remove ?tls=optional from SMTP_URL, unless its network is your own')
}

import { readUrl } from '../../base/url.js'

interface Credentials { username?: string, password?: string }

/** A server, a cluster (several nodes), or sentinels and the name of the master that they watch. */
export interface RedisUrl {
  protocol: 'redis' | 'rediss' | 'redis+sentinel' | 'rediss+sentinel'
  credentials: Credentials
  /** Those of the sentinels themselves. */
  sentinelCredentials?: Credentials
  nodes: Array<{ host: string, port: number }>
  /** The database of a single server; everything else has only 0. */
  db: number
  /** The master's name; empty without sentinels. */
  name: string
  /** Whether the certificate of a server is not checked. */
  unchecked: boolean
  /** Stands before the names of all keys and channels. */
  prefix?: string
}

export const namesSentinels = ({ protocol }: Pick<RedisUrl, 'protocol'>): boolean => protocol.endsWith('+sentinel')

/** TLS to every server, and to the sentinels, too. */
export const usesTls = ({ protocol }: Pick<RedisUrl, 'protocol'>): boolean => protocol.startsWith('rediss')

const FORMS = 'redis://host:6379, rediss://user:password@host:6379/0, redis://a:6379,b:6379,c:6379 for a cluster, ' +
  'or redis+sentinel://a:26379,b:26379/name'

/** `valkey://` is another name of `redis://`. */
const asRedis = (text: string): string => text.replace(/\bvalkey(s?(\+sentinel)?:\/\/)/g, 'redis$1')

/**
 * @throws {RangeError} a text that has none of these forms. The message says what is wrong, and quotes nothing of the
 * text
 */
export function parseRedisUrl (text: string): RedisUrl {
  if (/^[^@/]*,\s*(password|ssl)\s*=/i.test(text)) {
    throw new RangeError('is the form of StackExchange.Redis: write it as rediss://:password@host:6380, with % as %25, ' +
      '+ as %2B, / as %2F and = as %3D in the password')
  }
  if (/^redis-cli\b/.test(text)) throw new RangeError('is a command: write only the URL in it, with rediss:// for --tls')
  // A comma in the password, which is in front of an @, separates no nodes.
  const [first = '', ...others] = asRedis(text).split(/,\s*(?!.*@)/)
  const [scheme = ''] = /^[a-z+]*:\/\//.exec(first) ?? []
  const texts = [first, ...others.map(other => other.startsWith(scheme) ? other : scheme + other)]
  const urls = texts.map(one => readUrl(one, ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'], FORMS))

  const { username, password } = urls[0]!
  const protocol = urls[0]!.scheme as RedisUrl['protocol']
  const ofSentinels = namesSentinels({ protocol })
  const queries = urls.map(({ query }) => readQuery(query, ofSentinels))
  const path = urls.map(url => url.path).filter(path => path !== '').join()
  const sentinels = Object.assign({}, ...queries) as ReturnType<typeof readQuery>
  return {
    protocol,
    credentials: credentialsOf(username, password),
    ...ofSentinels && {
      sentinelCredentials: credentialsOf(sentinels.sentinel_username, sentinels.sentinel_password)
    },
    nodes: urls.map(({ host, port = ofSentinels ? 26379 : 6379 }) => ({ host, port })),
    ...ofSentinels ? { db: 0, name: readName(path) } : { db: readDb(path, urls.length), name: '' },
    unchecked: queries.some(({ check }) => check === 'none')
  }
}

const credentialsOf = (username = '', password = ''): Credentials =>
  ({ ...username !== '' && { username }, ...password !== '' && { password } })

/**
 * @returns whether the server's certificate is checked, as other clients write it: `none` or `required`; and how to log
 *   in to the sentinels
 */
function readQuery (
  query: URLSearchParams, ofSentinels: boolean
): { check: string, sentinel_username?: string, sentinel_password?: string } {
  const { family, ssl_cert_reqs: check = 'required', ...others } = Object.fromEntries(query)
  const [other] = Object.keys(others).filter(name => !ofSentinels || !/^sentinel_(username|password)$/.test(name))
  if (other !== undefined || !['0', undefined].includes(family)) {
    throw new RangeError(`has a query (?…) with ${other ?? 'family'}, but the options of the connection are set by ` +
      'gatehouse: remove it. There is only ssl_cert_reqs=none or required, and sentinel_username and ' +
      'sentinel_password for sentinels')
  }
  const word = check.toLowerCase().replace(/^cert_/, '')
  if (!['none', 'required'].includes(word)) throw new RangeError('ssl_cert_reqs must be none or required')
  return { check: word, ...others }
}

function readDb (path: string, nodes: number): number {
  if (path === '') return 0
  if (nodes > 1) {
    throw new RangeError(
      `has a path, but several nodes are a cluster, which has one database. It must look like ${FORMS}`
    )
  }
  if (!/^\d{1,9}$/.test(path)) {
    throw new RangeError('has a database that is not a number: it must end like redis://host:6379/0')
  }
  return Number(path)
}

function readName (path: string): string {
  if (!/^[\w.-]+$/.test(path)) {
    throw new RangeError('has no name of a master: it must look like redis+sentinel://a:26379,b:26379/name')
  }
  return path
}

import { parseServerUrl } from '../../base/url.js'

/** Both are empty without a login. */
interface Login { username: string, password: string }

/**
 * A server, nodes of a cluster, or the sentinels of a master. ioredis reads the URL of one server only, and would send
 * the password to a cluster of `rediss://` in clear.
 */
export interface RedisUrl {
  nodes: Array<{ host: string, port: number }>
  /** ioredis's options for each server. */
  server: Login & { tls?: { rejectUnauthorized: boolean } }
  /** The database of a single server; everything else has only 0. */
  db: number
  /** If the nodes are sentinels: the name of their master, and the login at themselves. */
  sentinels?: Login & { name: string }
  /** Stands before the names of all keys and channels. */
  prefix?: string
}

const FORMS = 'redis://host:6379, rediss://user:password@host:6379/0, redis://a:6379,b:6379,c:6379 for a cluster, ' +
  'or redis+sentinel://a:26379,b:26379/name'

/**
 * @throws {RangeError} a text that has none of these forms. The message says what is wrong, and quotes nothing of the
 * text
 */
export function parseRedisUrl (text: string): RedisUrl {
  // A comma in the password, which is in front of an @, separates no nodes.
  const [first = '', ...others] = text.replace(/\bvalkey(s?(\+sentinel)?:\/\/)/g, 'redis$1').split(/,\s*(?!.*@)/)
  const [scheme = '', tls, watched] = /^redis(s)?(\+sentinel)?:\/\//.exec(first) ?? []
  const urls = [first, ...others.map(other => other.startsWith(scheme) ? other : scheme + other)]
    .map(one => parseServerUrl(one, ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'], FORMS))
  const parameters = [tls && 'ssl_cert_reqs', ...watched ? ['sentinel_username', 'sentinel_password'] : []]
  const query = new URLSearchParams(urls.flatMap(({ query }) => [...query]))
  const unknown = [...query.keys()].find(name => !parameters.includes(name))
  if (unknown !== undefined) {
    throw new RangeError(`has a query (?…) with ${unknown}: there are only ssl_cert_reqs of rediss://, and ` +
      'sentinel_username and sentinel_password of redis+sentinel://')
  }
  const check = query.getAll('ssl_cert_reqs').join() || 'required'
  if (!/^(none|required)$/.test(check)) throw new RangeError('ssl_cert_reqs must be none or required')
  const path = urls.map(({ path }) => path).filter(path => path !== '').join()
  const ends = watched ? /^[\w.-]+$/ : urls.length > 1 ? /^$/ : /^\d{0,9}$/
  if (!ends.test(path)) {
    throw new RangeError('must end in the name of the master after sentinels, in the number of a database or nothing ' +
      `after a server, and in nothing after a cluster. It must look like ${FORMS}`)
  }
  const { username, password } = urls[0]!
  return {
    nodes: urls.map(({ host, port = watched ? 26379 : 6379 }) => ({ host, port })),
    server: { username, password, ...tls && { tls: { rejectUnauthorized: check === 'required' } } },
    db: watched ? 0 : Number(path),
    ...watched && {
      sentinels: {
        name: path,
        username: query.get('sentinel_username') ?? '',
        password: query.get('sentinel_password') ?? ''
      }
    }
  }
}

import { readUrl } from '../../base/url.js'

/** A server, a cluster (several nodes), or sentinels and the name of the master that they watch. */
export interface RedisUrl {
  protocol: 'redis' | 'rediss' | 'redis+sentinel'
  credentials: { username?: string, password?: string }
  nodes: Array<{ host: string, port: number }>
  /** The database of a single server; everything else has only 0. */
  db: number
  /** The master's name; empty without sentinels. */
  name: string
}

const FORMS = 'redis://host:6379, rediss://user:password@host:6379/0, redis://a:6379,b:6379,c:6379 for a cluster, ' +
  'or redis+sentinel://a:26379,b:26379/name'

/**
 * @throws {RangeError} a text that has none of these forms. The message says what is wrong, and quotes nothing of the
 * text
 */
export function parseRedisUrl (text: string): RedisUrl {
  // A comma in the password, which is in front of an @, separates no nodes.
  const [first = '', ...others] = text.split(/,\s*(?!.*@)/)
  const [scheme = ''] = /^[a-z+]*:\/\//.exec(first) ?? []
  const texts = [first, ...others.map(other => other.startsWith(scheme) ? other : scheme + other)]
  const urls = texts.map(one => readUrl(one, ['redis', 'rediss', 'redis+sentinel'], FORMS))
  if (urls.some(({ query }) => query.size > 0)) {
    throw new RangeError('has a query (?…), but the options of the connection are set by gatehouse: remove it')
  }

  const { username, password } = urls[0]!
  const protocol = urls[0]!.scheme as RedisUrl['protocol']
  const path = urls.map(url => url.path).filter(path => path !== '').join()
  const ofSentinels = protocol === 'redis+sentinel'
  return {
    protocol,
    credentials: { ...username !== '' && { username }, ...password !== '' && { password } },
    nodes: urls.map(({ host, port = ofSentinels ? 26379 : 6379 }) => ({ host, port })),
    ...ofSentinels ? { db: 0, name: readName(path) } : { db: readDb(path, urls.length), name: '' }
  }
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

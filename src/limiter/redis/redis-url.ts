import { parseHost, splitUrl } from '../../base/url.js'

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
export function parseRedisUrl (url: string): RedisUrl {
  const { scheme, username, password, hosts, path, query } = splitUrl(withOneScheme(url), FORMS)
  if (scheme !== 'redis' && scheme !== 'rediss' && scheme !== 'redis+sentinel') {
    throw new RangeError(`must look like ${FORMS}`)
  }
  if (query !== undefined) {
    throw new RangeError('has a query (?…), but the options of the connection are set by gatehouse: remove it')
  }
  const nodes = hosts.split(',').map(host => parseHost(host.trim(), scheme === 'redis+sentinel' ? 26379 : 6379))
  return {
    protocol: scheme,
    credentials: { ...username !== '' && { username }, ...password !== '' && { password } },
    nodes,
    ...scheme === 'redis+sentinel' ? { db: 0, name: readName(path) } : { db: readDb(path, nodes.length), name: '' }
  }
}

/** `redis://a,redis://b` is `redis://a,b`. */
function withOneScheme (url: string): string {
  const [scheme] = /^rediss?:\/\//.exec(url) ?? []
  const short = scheme === undefined ? url : url.replaceAll(new RegExp(`,\\s*${scheme}`, 'g'), ',')
  if (/,\s*rediss?:\/\//.test(short)) {
    throw new RangeError('has redis:// and rediss:// together: write the same before each node')
  }
  if (short !== url && short.includes('@', short.indexOf(','))) {
    throw new RangeError('has a user or password at a later node: write it once, before the first node')
  }
  return short
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

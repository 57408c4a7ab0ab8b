import t from 'tap'
import { parseRedisUrl } from '../../src/limiter/redis.js'

t.test('a URL names a server, a cluster or the sentinels of a master', async (t) => {
  t.match(parseRedisUrl('redis://redis'), { nodes: [{ host: 'redis', port: 6379 }], credentials: {} })
  t.match(parseRedisUrl('rediss://ops:p%40ss@[::1]:7000/2'), { protocol: 'rediss', credentials: { username: 'ops', password: 'p@ss' }, nodes: [{ host: '::1', port: 7000 }] })
  for (const url of ['redis://:secret@a:1,b:2,c', 'redis://:secret@a:1,redis://b:2, redis://c']) {
    t.same(parseRedisUrl(url), { protocol: 'redis', credentials: { password: 'secret' }, nodes: [{ host: 'a', port: 1 }, { host: 'b', port: 2 }, { host: 'c', port: 6379 }], path: '' })
  }
  t.match(parseRedisUrl('redis+sentinel://a,b:1/main'), { nodes: [{ host: 'a', port: 26379 }, { host: 'b', port: 1 }], path: 'main' })
  t.match(parseRedisUrl('redis://u:pa:ss@a,b'), { credentials: { username: 'u', password: 'pa:ss' } })
  t.throws(() => parseRedisUrl('redis://u:50%off@a'), /write % as %25/)
  for (const url of ['redis://a:99999', 'redis://a,b/1', '', 'redis://', 'http://a', 'localhost:6379', 'redis://a:b', 'redis+sentinel://a', 'redis://a,,b', 'redis://a/b/c']) {
    t.throws(() => parseRedisUrl(url), RangeError, url)
  }
})

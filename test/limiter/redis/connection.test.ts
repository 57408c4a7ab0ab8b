// REDIS_URL names a server, a cluster or sentinels, and each of its faults is named without the password.

import t from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { connect } from '#src/limiter/redis/connection.js'
import { parseRedisUrl } from '#src/limiter/redis/redis-url.js'
import { openStore } from '#src/limiter/store.js'
import { startRedis } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

t.test('a URL names a server, a cluster or the sentinels of a master', async (t) => {
  t.match(parseRedisUrl('redis://redis'), { nodes: [{ host: 'redis', port: 6379 }], credentials: {} })
  t.match(parseRedisUrl('rediss://ops:p%40ss@[::1]:7000/2'), {
    protocol: 'rediss', credentials: { username: 'ops', password: 'p@ss' }, nodes: [{ host: '::1', port: 7000 }], db: 2
  })
  for (const url of ['redis://:secret@a:1,b:2,c', 'redis://:secret@a:1,redis://b:2, redis://c']) {
    t.same(parseRedisUrl(url), {
      protocol: 'redis',
      credentials: { password: 'secret' },
      nodes: [{ host: 'a', port: 1 }, { host: 'b', port: 2 }, { host: 'c', port: 6379 }],
      db: 0,
      name: '',
      unchecked: false
    })
  }
  t.match(parseRedisUrl('redis+sentinel://a,b:1/main'), {
    nodes: [{ host: 'a', port: 26379 }, { host: 'b', port: 1 }], name: 'main'
  })
  t.match(parseRedisUrl('valkeys://default:p@v.db.ondigitalocean.com:25061'), {
    protocol: 'rediss', credentials: { username: 'default', password: 'p' }, unchecked: false
  })
  t.match(parseRedisUrl('valkey://a:1,valkey://b:2'), { protocol: 'redis', nodes: [{ port: 1 }, { port: 2 }] })
  t.match(parseRedisUrl('redis://default:p@redis.railway.internal:6379?family=0'), { unchecked: false })
  for (const check of ['none', 'CERT_NONE']) {
    t.match(parseRedisUrl(`rediss://:p@ec2-1.compute.amazonaws.com:7000?ssl_cert_reqs=${check}`), { unchecked: true })
  }
  t.match(parseRedisUrl('redis://u:pa:s,s@a,b'), { credentials: { username: 'u', password: 'pa:s,s' } })
  for (const url of [
    'redis://a:99999', 'redis://a,b/1', '', 'redis://', 'http://a', 'localhost:6379', 'redis://a:b',
    'redis+sentinel://a', 'redis://a,,b', 'redis://a/b/c'
  ]) {
    t.throws(() => parseRedisUrl(url), RangeError, url)
  }
})

t.test('an error names the fault of a URL and the escape to write, and never the password', async (t) => {
  const faults: Array<[url: string, message: RegExp]> = [
    ['redis://u:50%geheim@a', /write % as %25/],
    ['redis://:p/geheim@h:6379', /has a \/ .* write it as %2F/],
    ['redis://h/abc', /database that is not a number/],
    ['redis://h/1e3', /database that is not a number/],
    ['redis://h/0?keyPrefix=geheim', /has a query/],
    ['c.redis.cache.windows.net:6380,password=geheim=,ssl=True', /StackExchange.Redis: write it as rediss:.* = as %3D/],
    ['redis-cli --tls -u redis://default:geheim@a.upstash.io:6379', /is a command: write only the URL/],
    ['rediss://:geheim@a?ssl_cert_reqs=maybe', /ssl_cert_reqs must be none or required/],
    ['redis://h/0#1', /write it as %23/],
    ['redis://::1:6379', /must look like redis:.* An IPv6 address stands in brackets/],
    ['redis://h:6379x', /must look like redis:/],
    ['redis://a,b/0', /a cluster, which has one database/],
    ['rediss://a,redis://b', /must look like redis:/],
    ['redis://a:1,redis://u:geheim@b:2', /write it as %2F/],
    ['redis+sentinel://a:1', /no name of a master/],
    ['redis+sentinel://a/x,b/y', /no name of a master/]
  ]
  for (const [url, message] of faults) {
    t.throws(() => parseRedisUrl(url), { message }, url)
    t.throws(() => parseRedisUrl(url), { message: /^(?!.*geheim)/s }, url)
  }
})

t.test('a single Redis is used with the user, password and database of the URL', async (t) => {
  const redis = await startRedis(t)
  await redis.client.call('ACL', 'SETUSER', 'ops', 'on', '>p#s/s?w@r:d%', '~*', '&*', '+@all')
  const connection = await connect(`redis://ops:p%23s%2Fs%3Fw%40r:d%25@127.0.0.1:${new URL(redis.url).port}/3`)
  t.after(() => connection.disconnect())
  await connection.set('here', 1)
  t.equal(await connection.call('ACL', 'WHOAMI'), 'ops')
  await redis.client.select(3)
  t.equal(await redis.client.get('here'), '1')
})

t.test('what Redis says before it closes a new connection is the reason, such as that it has too many', async (t) => {
  // The connection of the test is the only one that it takes.
  const { url, client } = await startRedis(t, { args: ['--maxclients', '1'] })
  await client.ping()

  for (const kind of [url, `${url},${url}`]) {
    const reasons: string[] = []
    const connection = await connect(kind, ({ message }) => { reasons.push(message) })
    t.after(() => connection.disconnect())
    await until(() => reasons.length > 0, kind)
    t.match(reasons, [/^(127\.0\.0\.1:\d+: )?ERR max number of clients reached$/])
    t.equal(reasons.length, 1)
  }
})

t.test('a database that cannot be selected is reported once, and no bucket goes to another one', async (t) => {
  const redis = await startRedis(t)
  await redis.client.call('ACL', 'SETUSER', 'ops', 'on', '>password', '~*', '&*', '+@all', '-select')
  for (const [of, reason] of [
    [`redis://127.0.0.1:${redis.port}/99`, /^database 99 of REDIS_URL cannot be used: ERR /],
    [`redis://ops:password@127.0.0.1:${redis.port}/3`, /^database 3 .*NOPERM/]
  ] as const) {
    const [warnings, failures]: [string[], string[]] = [[], []]
    const store = await openStore({ redisUrl: of, onRedisFailure: 'local' }, {
      info () {},
      warn: (details, line) => {
        if (/no connection/.test(line)) warnings.push((details as { err: Error }).err.message)
      },
      error: (details) => { failures.push((details as { err: Error & { reason: string } }).err.reason) }
    })
    t.after(() => store.close())
    for (let i = 0; i < 20; i++) {
      await store.take(bucketOf({ name: 'login', capacity: 5, refill: 1, periodMs: 60_000 }, '192.0.2.1'))
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    t.match(warnings, [reason])
    t.equal(warnings.length, 1)
    t.same(failures, ['no_connection'])
    t.same(await redis.client.keys('*'), [])
  }
})

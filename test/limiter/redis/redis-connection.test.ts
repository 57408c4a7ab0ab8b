// REDIS_URL names a server, a cluster or sentinels, and each of its faults is named without the password.

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import { parseRedisUrl } from '#src/limiter/redis/redis-url.js'
import { openStore } from '#src/limiter/store.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { noOpenssl } from '../../fixtures/openssl.js'
import { freePort, startRedis } from '../../fixtures/redis.js'
import { certificate } from '../../fixtures/smtp.js'
import { until } from '../../fixtures/until.js'

t.test('a URL names a server, a cluster or the sentinels of a master', async (t) => {
  t.same(parseRedisUrl('redis://redis'), {
    nodes: [{ host: 'redis', port: 6379 }], server: { username: '', password: '' }, db: 0
  })
  t.same(parseRedisUrl('rediss://ops:p%40ss@[::1]:7000/2'), {
    nodes: [{ host: '::1', port: 7000 }],
    server: { username: 'ops', password: 'p@ss', tls: { rejectUnauthorized: true } },
    db: 2
  })
  for (const url of ['redis://:secret@a:1,b:2,c', 'redis://:secret@a:1,redis://b:2, redis://c']) {
    t.same(parseRedisUrl(url), {
      nodes: [{ host: 'a', port: 1 }, { host: 'b', port: 2 }, { host: 'c', port: 6379 }],
      server: { username: '', password: 'secret' },
      db: 0
    })
  }
  t.same(parseRedisUrl('rediss+sentinel://ops:p@a,b:1/main?sentinel_password=of%20them'), {
    nodes: [{ host: 'a', port: 26379 }, { host: 'b', port: 1 }],
    server: { username: 'ops', password: 'p', tls: { rejectUnauthorized: true } },
    db: 0,
    sentinels: { name: 'main', username: '', password: 'of them' }
  })
  t.match(parseRedisUrl('valkeys://default:p@v.db.ondigitalocean.com:25061'), {
    server: { username: 'default', password: 'p', tls: { rejectUnauthorized: true } }
  })
  t.match(parseRedisUrl('valkey://a:1,valkey://b:2'), { server: { tls: undefined }, nodes: [{ port: 1 }, { port: 2 }] })
  for (const [check, rejectUnauthorized] of [['none', false], ['required', true]] as const) {
    t.match(parseRedisUrl(`rediss://:p@ec2-1.compute.amazonaws.com:7000?ssl_cert_reqs=${check}`), {
      server: { tls: { rejectUnauthorized } }
    })
  }
  t.match(parseRedisUrl('redis://u:pa:s,s@a,b'), { server: { username: 'u', password: 'pa:s,s' } })
  for (const url of [
    'redis://a:99999', 'redis://a,b/1', '', 'redis://', 'http://a', 'localhost:6379', 'redis://a:b',
    'redis+sentinel://a', 'redis://a,,b', 'redis://a/b/c', 'REDISS://a'
  ]) {
    t.throws(() => parseRedisUrl(url), RangeError, url)
  }
})

t.test('an error names the fault of a URL and the escape to write, and never the password', async (t) => {
  const faults: Array<[url: string, message: RegExp]> = [
    ['redis://u:50%geheim@a', /write % as %25/],
    ['redis://:p/geheim@h:6379', /has a \/ .* write it as %2F/],
    ['redis://h/abc', /in the number of a database or nothing after a server/],
    ['redis://h/0?keyPrefix=geheim', /has a query/],
    ['c.redis.cache.windows.net:6380,password=geheim=,ssl=True', /must look like .*rediss:\/\/user:password@host/],
    ['rediss://:geheim@a?ssl_cert_reqs=maybe', /ssl_cert_reqs must be none or required/],
    ['redis://:geheim@a?ssl_cert_reqs=required', /has a query .* only ssl_cert_reqs of rediss:/],
    ['redis://:geheim@a?sentinel_password=geheim', /has a query .* with sentinel_password/],
    ['redis://h/0#1', /write it as %23/],
    ['redis://::1:6379', /must look like redis:.* An IPv6 address stands in brackets/],
    ['redis://a,b/0', /in nothing after a cluster/],
    ['rediss://a,redis://b', /must look like redis:/],
    ['redis://a:1,redis://u:geheim@b:2', /write it as %2F/],
    ['redis+sentinel://a:1', /in the name of the master after sentinels/]
  ]
  for (const [url, message] of faults) {
    t.throws(() => parseRedisUrl(url), { message }, url)
    t.throws(() => parseRedisUrl(url), { message: /^(?!.*geheim)/s }, url)
  }
})

t.test('the certificate of a Redis is checked, unless ssl_cert_reqs=none', { skip: noOpenssl }, async (t) => {
  const { key, cert } = certificate()
  const directory = newDirectory(t, { 'key.pem': key, 'cert.pem': cert })
  const port = await freePort()
  await startRedis(t, {
    args: [
      '--tls-port', String(port), '--tls-cert-file', join(directory, 'cert.pem'), '--tls-key-file',
      join(directory, 'key.pem'), '--tls-auth-clients', 'no', '--tls-ca-cert-file', join(directory, 'cert.pem')
    ]
  })
  const answer = async (query: string): Promise<string> => {
    let trouble = ''
    const redis = await connect(`rediss://localhost:${port}${query}`, (error) => { trouble = error.message })
    t.after(() => redis.disconnect())
    return await redis.ping().catch(() => trouble)
  }

  t.equal(await answer('?ssl_cert_reqs=none'), 'PONG')
  t.match(await answer('?ssl_cert_reqs=required'), /self-signed/)
  t.match(await answer(''), /self-signed/)
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
    for (let i = 0; i < 8; i++) {
      await store.take(bucketOf({ name: 'login', capacity: 5, refill: 1, periodMs: 60_000 }, '192.0.2.1'))
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    t.match(warnings, [reason])
    t.equal(warnings.length, 1)
    t.same(failures, ['no_connection'])
    t.same(await redis.client.keys('*'), [])
  }
})
t.test('rediss:// begins with TLS at a server, a cluster and sentinels, before any password', async (t) => {
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`

  for (const url of [`rediss://u:p@${at}`, `valkeys://u:p@${at}`, `rediss://u:p@${at},${at}`,
    `rediss+sentinel://u:p@${at}/main?sentinel_password=p`]) {
    const connected = once(server, 'connection')
    const connecting = connect(url)
    const [socket] = await connected as [Socket]
    const [bytes] = await once(socket, 'data') as [Buffer]
    socket.destroy()
    ;(await connecting).disconnect()

    t.equal(bytes[0], 0x16, `${url}: a handshake of TLS`)
  }
})

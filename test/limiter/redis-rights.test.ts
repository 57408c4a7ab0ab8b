import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { startServer, run } from '../fixtures/process.js'
import { freePort, startRedis } from '../fixtures/redis.js'
import { certificate } from '../fixtures/smtp.js'

/** The README's: what the service does with Redis, and nothing else. */
const rights = [
  'resetkeys', '~gatehouse:*', 'resetchannels', '&gatehouse:reset', '-@all', '+evalsha', '+eval', '+get', '+set', '+del', '+incrby', '+pttl', '+pexpire',
  '+pexpireat', '+pexpiretime', '+time', '+zadd', '+zrem', '+zcard', '+zremrangebyscore', '+publish', '+subscribe', '+scan', '+info', '+client|setname'
]

t.test('over TLS, and with no more rights than it needs, the service limits, resets, lists and keeps its heartbeat', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const { key, cert } = certificate()
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  writeFileSync(keyFile, key)
  writeFileSync(certFile, cert)
  const tlsPort = await freePort()
  const redis = await startRedis(t, { args: ['--tls-port', String(tlsPort), '--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile, '--tls-auth-clients', 'no'] })
  await redis.client.call('ACL', 'SETUSER', 'gatehouse', 'on', '>a-password-of-redis', ...rights)
  await redis.client.config('RESETSTAT')

  const environment = { REDIS_URL: `rediss://gatehouse:a-password-of-redis@127.0.0.1:${tlsPort}`, NODE_EXTRA_CA_CERTS: certFile }
  const server = await startServer(t, { ...environment, DATA_DIR: t.testdir() })
  const statuses = []
  for (let i = 0; i < 7; i++) {
    const { status } = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"username":"demo","password":"gatehouse-demo"}' })
    statuses.push(status)
  }
  t.same(statuses, [200, 200, 200, 200, 200, 429, 429])
  t.equal(await redis.client.zcard('gatehouse:replicas'), 1)
  t.match(await (await fetch(`${server.opsUrl}/readyz`)).json(), { status: 'ready', redis: 'decides' })
  t.match(await run('cli', ['buckets', 'list'], environment), { code: 0, stdout: /login +127\.0\.0\.1 +0 / })
  t.match(await run('cli', ['buckets', 'reset', 'login', '127.0.0.1'], environment), { code: 0 })
  t.equal(await server.stop(), 0)
  t.same(server.logs.filter(line => Number(line.level) > 30), [], 'nothing went wrong meanwhile')
  t.same(await redis.client.call('ACL', 'LOG'), [], 'nothing was denied')

  const other = new Redis({ port: redis.port, username: 'gatehouse', password: 'a-password-of-redis', lazyConnect: true, enableReadyCheck: false })
  await other.connect()
  t.after(() => other.disconnect())
  for (const command of [['GET', 'someone:else'], ['FLUSHALL'], ['KEYS', '*'], ['CONFIG', 'GET', '*'], ['PUBLISH', 'other', 'x']]) {
    await t.rejects(other.call(...command as [string]), /NOPERM/, command.join(' '))
  }
})

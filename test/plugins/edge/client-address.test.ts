// A client is its address or the one that a trusted proxy names, in every notation. It chooses neither its bucket nor a
// Redis key.

import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits, type PolicyName } from '#src/limiter/limits/policies.js'
import { startApp } from '../../fixtures/app.js'
import { lackedIn } from '../../fixtures/buckets.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startRedis } from '../../fixtures/redis.js'

const origin = 'https://erp.example.edu'
const redis = await startRedis(t)
const { app, client } = await startApp(t, {
  REDIS_URL: redis.url, TRUST_PROXY: '10.0.0.0/8, 2001:db8:1b::/48', CORS_ORIGINS: origin
})

const anyPath = '/api/nothing'
let proxies = 0
/** A proxy that is trusted, and that no other test has. */
const proxy = (): string => `10.1.${++proxies >> 8}.${proxies & 255}`
/** How many tokens are taken from the bucket of a client; 0 without one. */
const taken = async (of: string, policy: PolicyName = 'general'): Promise<number> =>
  lackedIn(await redis.client.get(bucketOf(defaultLimits.policies[policy], of).key))

const send = (
  remoteAddress: string, headers: Record<string, string> = {}, url = anyPath
): Promise<LightMyRequestResponse> =>
  app.inject({ url, remoteAddress, headers })

// L31 S14
t.test('forwarded headers of a peer that is not a trusted proxy are ignored', async (t) => {
  const peer = client()
  for (let i = 0; i < 20; i++) await send(peer, { 'x-forwarded-for': `203.0.113.${i}` })
  t.equal(await taken(peer), 20)
  t.equal(await taken('203.0.113.0'), 0)
})

// S15
t.test('the client is the last address before the chain of trusted proxies', async (t) => {
  const real = client()
  await send('2001:db8:1b::1', { 'x-forwarded-for': `6.6.6.6, ${real}, 10.9.9.9:1234, [2001:db8:1b::2]:443` })
  await send('::ffff:10.9.9.8', { 'x-forwarded-for': `${real}, ::ffff:10.9.9.9` })
  t.equal(await taken(real), 2)

  const stranger = client()
  await send(proxy(), { 'x-forwarded-for': `${client()}, ${stranger}, 10.9.9.9` })
  t.equal(await taken(stranger), 1, 'whoever is not trusted is where the chain begins')
})

// S13
t.test('an IPv6 peer is limited by its /64, and a mapped IPv4 peer as IPv4', async (t) => {
  const real = client()
  for (const peer of ['2001:db8:6::1', '2001:db8:6::2', '2001:db8:6:1::1', real, `::ffff:${real}`]) await send(peer)
  t.equal(await taken('2001:db8:6::/64'), 2)
  t.equal(await taken('2001:db8:6:1::/64'), 1)
  t.equal(await taken(real), 2)
})

// L39 S16
t.test('behind a trusted proxy, a text that is not an address counts as the proxy', async (t) => {
  const garbage = [
    'unknown', '', ', ,', '1.1.1.1\r\nX: y', 'gatehouse:bucket:login:1.1.1.1', `${'1.1.1.1, '.repeat(900)}nobody`,
    '1'.repeat(10_000)
  ]
  for (const text of garbage) {
    const lb = proxy()
    t.equal((await send(lb, { 'x-forwarded-for': text })).statusCode, 404, JSON.stringify(text.slice(0, 40)))
    t.equal(await taken(lb), 1, JSON.stringify(text.slice(0, 40)))
  }
})

// S17
t.test('no other header changes the client', async (t) => {
  const names = [
    'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'forwarded', 'x-client-ip', 'x-cluster-client-ip',
    'fastly-client-ip', 'x-forwarded', 'via', 'client-ip'
  ]
  const [peer, lb] = [client(), proxy()]
  for (const name of names) {
    for (const remoteAddress of [peer, lb]) {
      await send(remoteAddress, { [name]: name === 'forwarded' ? 'for=6.6.6.7' : '6.6.6.7' })
    }
  }
  t.equal(await taken(peer), names.length)
  t.equal(await taken(lb), names.length)
  t.equal(await taken('6.6.6.7'), 0)
})

/** What requests leave in Redis; a replica itself leaves its heartbeat, its canary and what it says of itself. */
async function keysOfRequests (): Promise<string[]> {
  const own = /^gatehouse:(replica:|replicas$|limits:digests$|bucket:canary:)/
  return (await redis.client.keys('*')).filter(key => !own.test(key)).sort()
}

// L40
t.test('a request whose peer has no address takes no token and is not answered', async (t) => {
  const before = await keysOfRequests()
  // The other end of a local socket has no address, as the other end of a destroyed one has none.
  const path = join(newDirectory(t), 'socket')
  app.server.listen(path)
  await once(app.server, 'listening')
  let text = ''
  const socket = connect(path)
  socket.on('data', (chunk) => { text += chunk.toString() })
  socket.on('error', () => {})
  socket.write(`GET ${anyPath} HTTP/1.1\r\nHost: x\r\n\r\n`)
  // The server may close the connection before the request is written, which is an error here.
  await new Promise(resolve => socket.on('close', resolve))
  app.server.close()
  t.equal(text, '')
  t.strictSame(await keysOfRequests(), before)
})

// L44 L45
t.test('a request takes exactly one token, whatever its method', async (t) => {
  const peer = client()
  const methods = ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const
  for (const method of methods) await app.inject({ method: method as 'GET', url: '/api/auth/me', remoteAddress: peer })
  t.equal(await taken(peer), methods.length)
})

// L50 S16
t.test('after all, every key of a request is a policy and a canonical address, and expires', async (t) => {
  const keys = await keysOfRequests()
  t.ok(keys.length > 10)
  for (const key of keys) {
    t.match(key, /^gatehouse:bucket:(login|general):(\d{1,3}(\.\d{1,3}){3}|[\da-f]{1,4}(:[\da-f]{1,4}){0,3}::\/64)$/)
    t.ok(await redis.client.pttl(key) > 0, key)
  }
})

t.end()

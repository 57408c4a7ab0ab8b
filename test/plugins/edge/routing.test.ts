// No spelling, method or header lets a request avoid the policy of its path.

import { once } from 'node:events'
import { connect } from 'node:net'
import type { HTTPMethods, InjectOptions } from 'fastify'
import t from 'tap'
import { startListening } from '../../fixtures/app.js'
import { lackedIn } from '../../fixtures/buckets.js'
import { startRedis } from '../../fixtures/redis.js'

const redis = await startRedis(t)
const { app, client, port, user } = await startListening(t, { REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1/32' })

const ask = (method: string, url: string, remoteAddress: string, options: InjectOptions = {}) =>
  app.inject({ method: method as HTTPMethods, url, remoteAddress, ...options })

/** Sends a request line that `inject` would tidy up first. @returns the status and the body */
async function askRaw (
  requestLine: string, remoteAddress: string, protocol = ' HTTP/1.1'
): Promise<{ status: number, body: string }> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const answer: string[] = []
  socket.on('data', text => answer.push(String(text)))
  socket.write(
    `${requestLine}${protocol}\r\nHost: gatehouse\r\nX-Forwarded-For: ${remoteAddress}\r\nContent-Type: ` +
      'application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'
  )
  await once(socket, 'close')
  const [head = '', body = ''] = answer.join('').split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body }
}

/** How many tokens a client has taken, by policy. */
async function taken (address: string): Promise<Record<string, number>> {
  const keys = await redis.client.keys(`*${address}*`)
  const counts = await Promise.all(keys.map(async key =>
    [key.replace('gatehouse:bucket:', '').replace(`:${address}`, ''), lackedIn(await redis.client.get(key))]))
  return Object.fromEntries(counts)
}

// S19 L42
t.test('every spelling that reaches the login takes from its bucket', async (t) => {
  const address = client()
  const post = async (url: string) => (await ask('POST', url, address, { payload: {} })).statusCode
  t.equal(await post('/api/auth/%6cogin'), 400)
  t.equal(await post('/api/auth/login?a=1'), 400)
  t.equal(await post('/%61pi/auth/login?x=%zz'), 400)
  t.equal((await askRaw('POST http://evil/api/auth/login', address)).status, 400)
  t.equal((await askRaw('POST HTTPS://evil:8443/api/auth/%6Cogin?a=/nowhere', address)).status, 400)
  t.strictSame(await taken(address), { login: 5 })
  for (const url of ['/api/auth/login', '/api/auth/log%69n', '/api/auth/login?']) t.equal(await post(url), 429, url)
  t.equal((await askRaw('POST http://other/api/auth/login', address)).status, 429)
})

t.test('a request has one valid Host, or gets 400 after the limiter', async (t) => {
  const status = async (hosts: string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const lines = hosts.map(host => `Host: ${host}\r\n`).join('')
    socket.write(`GET /nowhere HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return String(answer).split(' ')[1]!
  }
  for (const hosts of [['a', 'b'], ['a', 'a'], ['a b'], ['a/b'], ['a@b'], ['[::1'], ['a:b'], ['a, b'], []]) {
    t.equal(await status(hosts), '400', hosts.join(' and '))
  }
  for (const host of ['erp.example', 'erp.example:8443', '[::1]:80', '192.0.2.1:', 'a_b', 'xn--bcher-kva.example']) {
    t.equal(await status([host]), '404', host)
  }
})

// S20 S21
t.test('a path that only resembles the login, or has dots, gets 404 and takes from the general bucket', async (t) => {
  const address = client()
  const paths = [
    '//api/auth/login', '/api//auth/login', '/api/auth//login', '/api/auth/login/', '/API/auth/login',
    '/api/Auth/login', '/api/auth/LOGIN', '/api%2fauth/login',
    '/api/auth%2Flogin', '/api/auth/login%2f', '/api/auth/login;x=1', '/api;x/auth/login', '/api/auth/login%00',
    '/api/auth/login%0d%0a', '/api/auth/login%3fa=1', '/api/auth/login.json', '/api/auth/%256cogin',
    '/api/auth/login%ef%bb%bf', '/a/../api/auth/login', '/api/auth/./login', '/../api/auth/login',
    '/%2e%2e/api/auth/login', '/api/auth/..\\auth\\login'
  ]
  for (const path of paths) {
    const { status, body } = await askRaw(`POST ${path}`, address)
    t.equal(status, 404, path)
    t.match(JSON.parse(body), {
      status: 404, error: 'Not Found', message: 'There is nothing at this path.', path
    })
  }
  t.strictSame(await taken(address), { general: paths.length })
})

// S22
t.test('a path that cannot be decoded gets 400 and takes from the general bucket', async (t) => {
  const address = client()
  const targets = [
    '/%zz', '/%c0%ae', '/%', '/a%2', '/%ff', '/api/auth/login%', '/api/auth/%c0%ae%c0%ae/login', 'http://evil/%zz'
  ]
  for (const target of targets) {
    const { status, body } = await askRaw(`GET ${target}?secret=1`, address)
    t.equal(status, 400, target)
    t.match(JSON.parse(body), {
      status: 400, error: 'Bad Request', message: 'The path cannot be decoded.', path: target.replace('http://evil', '')
    })
  }
  t.strictSame(await taken(address), { general: targets.length })
  t.equal((await askRaw('GET /undecodable', address)).status, 404, 'and no path is kept for them')
})

t.test('an absolute form that is no URL gets 400 and takes from the general bucket', async (t) => {
  const address = client()
  const origins = ['http://other.examp]e', 'http://', 'HTTPS://a:b:c', 'http://x:99999', 'http://[::1', 'http://x/#y']
  for (const origin of origins) {
    const { status, body } = await askRaw(`GET ${origin}/api/auth/me?secret=1`, address)
    t.equal(status, 400, origin)
    t.match(JSON.parse(body), { status: 400, message: 'The request target is not a valid URL.' }, origin)
  }
  t.strictSame(await taken(address), { general: origins.length })
})

t.test('a method that Node parses but HTTP lacks is limited and refused like any other', async (t) => {
  const address = client()
  const requests = [
    ['DESCRIBE /api/auth/me', ' RTSP/1.0'], ['PLAY /', ' RTSP/1.0'], ['PRI /api/auth/me', ''], ['FLUSH /nowhere', '']
  ] as const
  for (const [requestLine, protocol] of requests) {
    const { status, body } = await askRaw(requestLine, address, protocol)
    t.equal(status, 400, requestLine)
    t.match(JSON.parse(body), { status: 400, error: 'Bad Request', message: 'The method is not one of HTTP.' })
  }
  t.strictSame(await taken(address), { general: requests.length })
  t.equal((await askRaw('GET /not-http', address)).status, 404, 'and no path is kept for them')
})

// S23
t.test('the login by another method gets 405 with Allow, from the general bucket', async (t) => {
  const address = client()
  const { username, password } = await user()
  // The target of CONNECT is no path: test/plugins/edge/client-errors.test.ts has it.
  const methods = app.supportedMethods.filter(method => method !== 'POST' && method !== 'CONNECT')
  for (const method of methods) {
    const reply = await ask(method, '/api/auth/login', address, {
      payload: { username, password }, headers: { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }
    })
    t.equal(reply.statusCode, 405, method)
    t.equal(reply.headers.allow, 'POST')
    if (method !== 'HEAD') t.match(reply.json(), { status: 405, error: 'Method Not Allowed', path: '/api/auth/login' })
  }
  t.equal((await ask('GET', '/api/auth/login?_method=POST', address)).statusCode, 405)
  t.strictSame(await taken(address), { general: methods.length + 1 })
})

t.test('a 405 lists the methods of its path', async (t) => {
  const paths: Array<[url: string, allow: string]> = [
    ['/api/auth/me', 'GET, HEAD'], ['/auth/forgot-password', 'POST'], ['/api/auth/forgot-password', 'POST'],
    ['/auth/UserCreation', 'POST'],
    ['/api/auth/UserCreation', 'POST'], ['/auth/resetPassword', 'POST'], ['/api/auth/resetPassword', 'POST'],
    ['/.well-known/jwks.json', 'GET, HEAD']
  ]
  for (const [url, allow] of paths) {
    const address = client()
    const { statusCode, headers } = await ask('DELETE', url, address)
    t.equal(statusCode, 405, url)
    t.equal(headers.allow, allow)
    t.strictSame(await taken(address), { general: 1 })
  }
})

// S25 L43 L46
t.test('a thousand unknown paths share one bucket with every general request', async (t) => {
  const address = client()
  const statuses = []
  for (let i = 0; i < 1000; i++) {
    statuses.push((await ask('GET', `/${i % 2 ? 'api/' : ''}${Math.random().toString(36)}/${i}`, address)).statusCode)
  }
  t.strictSame(statuses, [...Array(100).fill(404), ...Array(900).fill(429)])
  t.strictSame(await taken(address), { general: 100 })
  for (const [method, url] of [
    ['GET', '/api/auth/me'], ['GET', '/api/auth/login'], ['DELETE', '/auth/UserCreation'], ['GET', '/%zz'],
    ['OPTIONS', '/nowhere']
  ] as const) {
    t.equal((await ask(method, url, address)).statusCode, 429, `${method} ${url}`)
  }
  t.equal((await ask('POST', '/api/auth/login', address, { payload: {} })).statusCode, 400, 'and the login has its own')
})

t.test('a request that is refused for its path or method is refused before its body is read', async (t) => {
  const requests: Array<[method: string, url: string, status: number]> = [
    ['POST', '/nowhere', 404], ['PUT', '/api/auth/login', 405], ['OPTIONS', '/api/auth/login', 405],
    ['POST', '/%zz', 400]
  ]
  const bodies: Array<[type: string, payload: string]> = [
    ['application/json', '{'], ['text/plain', 'x'], ['application/json; charset=utf-16', '{}'],
    ['application/json', ' '.repeat(20_000)]
  ]
  for (const [method, url, status] of requests) {
    const address = client()
    for (const [type, payload] of bodies.slice(0, 3)) {
      const reply = await ask(method, url, address, { payload, headers: { 'content-type': type } })
      t.match(reply.json(), { status, path: url }, `${method} ${url} with ${type}`)
    }
    const [type, payload] = bodies[3]!
    const reply = await ask(method, url, client(), { payload, headers: { 'content-type': type } })
    t.match(reply.json(), { status, path: url }, `${method} ${url} with too large a body`)
  }
})
// S23
t.test('an unserved method gets 405 on a path that exists and 404 on others', async (t) => {
  for (const method of ['PROPFIND', 'LINK', 'PURGE', 'M-SEARCH']) {
    const { status, body } = await askRaw(`${method} /api/auth/login`, client())
    t.match(JSON.parse(body), { status: 405, error: 'Method Not Allowed' }, method)
    t.equal(status, 405)
    t.equal((await askRaw(`${method} /api/nowhere`, client())).status, 404)
  }
})

t.end()

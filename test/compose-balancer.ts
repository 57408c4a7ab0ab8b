import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls, type SecureVersion } from 'node:tls'
import type { Test } from 'tap'
import {
  blocks, checkout, compose, docker, exchangeFrom, httpsPort, neighbours, page, port, publicUrl, serving, url
} from './fixtures/compose.js'
import { until } from './fixtures/until.js'

/*
 * What the balancer of docker-compose.yml does itself: which address it treats as the client, what it answers without a
 * replica, and HTTPS. This is a part of test/compose.ts, which starts it.
 */

const { edge, proxyProtocol, stranger } = neighbours
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Tests without a certificate. A client with half a request waits ten seconds for the answer, while the other tests
 * run.
 */
export async function testBalancer (t: Test): Promise<void> {
  const answersToHalves = Promise.all([
    exchange(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nOrigin: ${page}\r\nContent-Length: 10\r\n\r\nabc`, 15_000, 200
    ),
    exchange('GET / HTTP/1.1\r\nHost: x\r\n', 15_000, 200)
  ])
  await testOwnAnswers(t)
  await testClientAddresses(t)

  await t.test('an incomplete request gets the common error shape, with a timestamp if its head arrived', async (t) => {
    const [withHead, without] = (await answersToHalves).map(parse)
    t.match(withHead!.body, {
      timestamp, status: 408, error: 'Request Timeout', message: String, path: '/api/auth/login'
    })
    t.match(withHead!.head, `access-control-allow-origin: ${page}`)
    t.match(without!.body, { status: 408, error: 'Request Timeout', message: String, path: '/' })
  })
}

async function testClientAddresses (t: Test): Promise<void> {
  await t.test('of 7 clients behind an edge none is refused for another or can choose its address [S15]', async (t) => {
    const behind = (text: string): string => login(`X-Forwarded-For: ${text}`)
    const seven = Array.from({ length: 7 }, (_, i) => behind(`198.51.100.${i + 1}`))
    const spoofed = Array.from({ length: 5 }, (_, i) => behind(`6.6.6.${i}, 198.51.100.1`))
    t.same(await statusesFrom(edge, [...seven, ...spoofed, behind('198.51.100.2')]), [
      ...Array(7).fill(401), 401, 401, 401, 401, 429, 401
    ])
  })

  await t.test('a peer that is not an edge has its own address, whatever its headers say [S14 S15 S17]', async (t) => {
    const names = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP']
    const spoofed = names.map((name, i) => login(`${name}: 198.51.100.${30 + i}`))
    t.same(await statusesFrom(stranger, [...spoofed, login('Forwarded: for=198.51.100.40')]), [
      401, 401, 401, 401, 401, 429
    ])
  })

  await t.test('the PROXY protocol header of a load balancer names the client', async (t) => {
    const behind = (address: string, headers = 'X-A: 1'): string =>
      `PROXY TCP4 ${address} ${proxyProtocol} 1000 8080\r\n${login(headers)}`
    const same = Array.from({ length: 6 }, (_, i) => behind('198.51.100.50', `X-Forwarded-For: 6.6.6.${i}`))
    // Without the header the client is unknown, and gets no answer.
    const requests = [...same, behind('198.51.100.51'), login('X-A: 1')]
    t.same(await statusesFrom(proxyProtocol, requests), [401, 401, 401, 401, 401, 429, 401, undefined])
    t.same(await statusesFrom(stranger, [behind('198.51.100.52')]), [400], 'nobody else may write it')
  })

  await t.test('an address may have 3,000 connections; an edge may have more', async (t) => {
    const request = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const idle = Array<string>(3001).fill('')
    t.same((await exchangeFrom(stranger, [request], idle, true)).map(status), [undefined])
    t.same((await exchangeFrom(edge, [request], idle)).map(status), [200])
  })

  await t.test('an IPv6 /64 may have 3,000 connections in all; IPv4 in IPv6 form is the same client', async (t) => {
    const from = (client: string): string => `PROXY TCP6 ${client} 2001:db8::1 1000 8080\r\n`
    const request = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const ask = async (beginnings: string[], tooMany: boolean, ...clients: string[]) => (
      await exchangeFrom(proxyProtocol, clients.map(client => from(client) + request), beginnings, tooMany)
    ).map(status)
    const ofOne64 = Array.from({ length: 3001 }, (_, i) => from(`2001:db8:1:1::${(i + 1).toString(16)}`))
    t.same(await ask(ofOne64, true, '2001:db8:1:1:ffff::1', '2001:db8:1:2::1'), [undefined, 200])
    const mapped = Array.from({ length: 3001 }, (_, i) => from(`::ffff:10.9.${i >> 8}.${i & 255}`))
    t.same(await ask(mapped, false, '::ffff:10.9.255.1'), [200])
  })
}

async function testOwnAnswers (t: Test): Promise<void> {
  await t.test('the balancer refuses CONNECT and TRACE in the common error shape, and forwards neither', async (t) => {
    for (const [method, target, path] of [
      ['CONNECT', 'x:1', '/'], ['TRACE', 'http://x:1/api/auth/me?x=1', '/api/auth/me']
    ]) {
      const { head, body } = parse(
        await exchange(`${method} ${target} HTTP/1.1\r\nHost: x:1\r\nOrigin: ${page}\r\n\r\n`, 3000, 300)
      )
      t.match(head, /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST, OPTIONS\r\n/s)
      t.match(head, `access-control-allow-origin: ${page}`)
      t.match(head, /x-request-id: [\da-f-]{36}/)
      t.match(body, { timestamp, status: 405, error: 'Method Not Allowed', message: String, path })
    }
    for (let i = 0; i < 20; i++) await reset('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', i)
    t.equal(await serving(), 3)
    const ids = (await compose(['ps', '--quiet', 'api'])).split('\n')
    t.same((await docker(['inspect', '--format', '{{.RestartCount}}', ...ids])).split('\n'), ['0', '0', '0'])
  })

  await t.test('bytes that are not HTTP get the common error shape, but without a timestamp of HAProxy', async (t) => {
    const cases: Array<[status: number, bytes: string]> = [
      [400, 'GET / HTTP/1.1\r\nbad header\r\n\r\n'],
      [400, '\u0000\u0001nonsense\r\n\r\n'],
      [400, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
      [400, 'GET / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      [414, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      [431, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`]
    ]
    for (const [status, bytes] of cases) {
      const { head, body } = parse(await exchange(bytes, 3000, 300))
      t.match(head, new RegExp(`^HTTP/1\\.1 ${status} .*content-type: application/json; charset=utf-8`, 's'))
      t.match(body, { status, error: String, message: String, path: '/' })
    }
  })

  /** What a service has logged, once all these ids are in it: lines of requests wait a moment for others. */
  async function logWith (service: string, ids: Array<string | undefined>): Promise<string> {
    let log = ''
    let missing: Array<string | undefined> = []
    await until(async () => {
      log = await compose(['logs', '--no-color', '--no-log-prefix', '--tail', '200', service])
      missing = ids.filter(id => id !== undefined && !log.includes(id))
      return missing.length === 0
    }).catch(() => t.fail(`the log of ${service} lacks ${missing.join()} of ${ids.join()}`, { log }))
    return log
  }

  await t.test('the answer and the replica\'s log have the same request id, which the caller may choose', async (t) => {
    const id = '0b0e7c1e-6f0a-4a4c-9d3a-5a3c6d1f2e4b'
    t.equal((await fetch(`${url}/api/nothing`, { headers: { 'x-request-id': id } })).headers.get('x-request-id'), id)
    const made = (await fetch(`${url}/api/nothing`, {
      headers: { 'x-request-id': 'mine' }
    })).headers.get('x-request-id')!
    t.match(made, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    const log = await logWith('api', [id, made])
    t.match(log, id)
    t.match(log, made)
  })

  await t.test('two request ids, or a list of them, are replaced by a new one everywhere', async (t) => {
    const ids = ['3c0d5d5e-0b8a-4a53-8f4e-6f1f0e2d7a11', '5b2f7a90-63c1-4c0e-9b57-0d6a1c8e4f22']
    const forgeries = [
      [ids[0], 'forged "entry"'], ['forged "entry"', ids[0]], ids, [ids.join()], [`${ids[0]}, forged "entry"`],
      [`${ids[0]},`]
    ]
    // HAProxy logs what it refuses itself, and the replica everything else.
    for (const [method, service] of [['GET', 'api'], ['TRACE', 'lb']]) {
      const answered = []
      for (const values of forgeries) {
        const headers = values.map(value => `X-Request-Id: ${value}\r\n`).join('')
        const answer = await exchange(
          `${method} /api/nothing HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`, 3000
        )
        answered.push(/^x-request-id: (.*)\r$/im.exec(answer)?.[1])
      }
      const log = await logWith(service!, answered)
      for (const [i, id = 'none'] of answered.entries()) {
        t.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, forgeries[i]!.join(' and '))
        t.notOk(ids.includes(id), forgeries[i]!.join(' and '))
        t.match(log, id)
      }
    }
    t.notMatch(await logWith('lb', []), /forged/)
  })

  await t.test('a client that closes its sending side after the request gets the answer', async (t) => {
    t.equal(status(await text(connect(port, '127.0.0.1').end(login('X-A: 1')))), 401)
  })

  await t.test('a request with two Origin headers gets no Access-Control-Allow-Origin', async (t) => {
    for (const origins of [[page, 'https://evil.example'], ['https://evil.example', page]]) {
      const headers = origins.map(origin => `Origin: ${origin}\r\n`).join('')
      const { head } = parse(await exchange(`TRACE / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, 3000, 300))
      t.match(head, /^HTTP\/1\.1 405 /)
      t.notMatch(head, /access-control-allow-origin/)
    }
  })
}

/** This runs last, because it leaves the service stopped. */
export async function testTls (t: Test): Promise<void> {
  await blocks.shows(t, 'docs/operations.md', '--self-signed', { means: { 8443: String(httpsPort) } })
  const certificate = join(checkout, 'deploy/certs/self-signed.pem')
  await until(async () => await serving() === 3)
  let ca = readFileSync(certificate, 'utf8')

  await t.test('only the group can read the certificate\'s key, and the balancer runs without rights', async (t) => {
    t.equal(statSync(certificate).mode & 0o777, 0o640)
    t.equal(await compose(['exec', '-T', 'lb', 'id', '-u']), '99')
  })

  await t.test('with a certificate, HTTPS works with HTTP/2 and HTTP/1.1 from TLS 1.2 on', async (t) => {
    const http2 = await askHttp2(ca, '/api/nothing')
    t.match(http2, { ':status': 404, 'strict-transport-security': 'max-age=31536000' })
    const http1 = await askHttps(ca, '/api/nothing')
    t.match(http1, { status: 404, headers: { 'strict-transport-security': 'max-age=31536000' } })
    t.equal(await agreedVersion(ca, 'TLSv1.2'), 'TLSv1.2')
    t.equal(await agreedVersion(ca, 'TLSv1.3'), 'TLSv1.3')
    t.equal(await agreedVersion(ca, 'TLSv1.1'), undefined)
  })

  // A client sends its first requests before it knows how many the balancer takes.
  await t.test('a new connection of HTTP/2 has its first 100 requests answered', async (t) => {
    const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { ca })
    const answers = await Promise.allSettled(Array.from({ length: 100 }, async () => {
      const [headers] = await once(session.request({ ':path': '/api/nothing' }).end(), 'response')
      return headers[':status'] as number
    }))
    session.close()
    t.equal(answers.filter(answer => answer.status === 'fulfilled' && answer.value === 404).length, 100)
  })

  await t.test('an address may have 3,000 requests under way, and others are answered meanwhile', async (t) => {
    const sessions = Array.from({ length: 40 }, () => {
      const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { ca }).on('error', () => {})
      // None of them sends its body.
      for (let i = 0; i < 100; i++) {
        session.request({ ':method': 'POST', ':path': '/api/nothing', 'content-length': 9 }).on('error', () => {})
      }
      return session
    })
    t.teardown(() => { for (const session of sessions) session.destroy() })
    const open = (): number => sessions.filter(({ closed, destroyed }) => !closed && !destroyed).length

    await until(() => open() <= 30, 'the connections beyond are closed')
    const request = 'GET /api/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-Proto: https\r\n\r\n'
    t.same(await statusesFrom(edge, [request]), [404])
    t.ok(open() > 20, `${open()} connections are left`)
  })

  await t.test('http redirects pages to PUBLIC_URL, whatever Host says, and refuses logins [S18]', async (t) => {
    const get = await exchange('GET //evil.example/a?b=1 HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: ' +
      'evil.example\r\nX-Forwarded-Proto: https\r\n\r\n', 3000, 300)
    t.match(get, /^HTTP\/1\.1 308 /)
    t.match(get, `location: ${publicUrl}//evil.example/a?b=1\r\n`)
    t.notMatch(get, /strict-transport-security/)
    const { head, body } = parse(await exchange(login('X-Forwarded-Proto: https'), 3000, 300))
    t.match(head, /^HTTP\/1\.1 403 /)
    t.match(body, { timestamp, status: 403, error: 'Forbidden', message: String, path: '/api/auth/login' })
  })

  await t.test('an edge that has ended TLS itself is not redirected to https', async (t) => {
    const ask = (headers: string): string =>
      `GET /api/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`
    t.same(await statusesFrom(edge, [ask('X-Forwarded-Proto: https'), ask('X-Forwarded-Proto: http'), ask('X-A: 1')]), [
      404, 308, 308
    ])
  })

  await t.test('a client of HTTPS is limited by its own address, and cannot choose another', async (t) => {
    const answers = []
    for (let i = 0; i < 3; i++) {
      answers.push((await askHttps(ca, '/api/nothing', { 'x-forwarded-for': `198.51.100.${60 + i}` })).status)
    }
    t.same(answers, [404, 404, 404])
    const peek = await compose([
      'exec', '-T', 'api', 'gatehouse', 'buckets', 'peek', 'general', '198.51.100.60', '--json'
    ])
    t.match(JSON.parse(peek), { tokens: 100 })
  })

  await t.test('HAProxy accepts every combination of settings without a warning, and names a wrong one', async (t) => {
    const check = 'sh /usr/local/etc/haproxy/start.sh -c 2>&1; echo "exit $?"'
    const combinations = `
      for TLS_CERTIFICATE in '' ./any; do
      for EDGE_NETWORKS in '' '10.0.0.0/8, 2001:db8::/32 ,192.0.2.1'; do
      for PROXY_PROTOCOL_NETWORKS in '' 192.0.2.0/24; do
      for CORS_ORIGINS in '' https://a.example,https://b.example; do ${check}; done; done; done; done`
    const inside = async (script: string): Promise<string> => await compose(['exec', '-T', 'lb', 'sh', '-c', script])
    const output = await inside(combinations)
    t.equal(output.match(/^exit 0$/gm)?.length, 16)
    t.notMatch(output, /WARNING|ALERT/)
    t.match(
      await inside(`PUBLIC_URL=http://localhost:8080 ${check}`),
      /PUBLIC_URL must be the origin that clients use.*exit 1/s
    )
    t.match(await inside(`EDGE_NETWORKS=lb.example ${check}`), /not a valid IPv4 or IPv6 address.*exit 1/s)
  })

  await t.test('a certificate is replaced without a restart', async (t) => {
    const container = await compose(['ps', '--quiet', 'lb'])
    await blocks.run(NEW_CERTIFICATE)
    await blocks.shows(t, 'docs/runbook.md', 'fullchain.pem', { means: { 'login.pem': 'self-signed.pem' } })
    ca = readFileSync(certificate, 'utf8')
    await until(async () => (await askHttps(ca, '/api/nothing').catch(() => undefined))?.status === 404)
    t.equal(await compose(['ps', '--quiet', 'lb']), container)
    t.equal(await docker(['inspect', '--format', '{{.RestartCount}}', container]), '0')
  })

  await t.test('without a replica the balancer answers 503 in the common shape, readable by pages', async (t) => {
    await compose(['stop', '--timeout', '5', 'api'])
    await until(async () => await serving() === 0)
    const { status, headers, body } = await askHttps(ca, '/api/auth/me?x=1', { origin: page })
    t.equal(status, 503)
    t.match(JSON.parse(body), {
      timestamp, status: 503, error: 'Service Unavailable', message: String, path: '/api/auth/me'
    })
    t.match(headers, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '5',
      'x-request-id': String,
      'access-control-allow-origin': page,
      'access-control-expose-headers': /Retry-After/,
      'strict-transport-security': 'max-age=31536000',
      vary: 'Origin'
    })
    for (const origin of ['https://evil.example', 'null', `${page}, ${page}`]) {
      t.equal((await askHttps(ca, '/', { origin })).headers['access-control-allow-origin'], undefined, origin)
    }
  })
}

const NEW_CERTIFICATE = 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj ' +
  '/CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout privkey.pem -out fullchain.pem'

function login (header: string): string {
  const body = '{"username":"nobody","password":"wrong"}'
  return 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n${header}\r\n\r\n${body}`
}

const status = (answer: string): number | undefined => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]) || undefined

const statusesFrom = async (address: string, requests: string[]): Promise<Array<number | undefined>> =>
  (await exchangeFrom(address, requests)).map(status)

function parse (answer: string): { head: string, body: unknown } {
  const [head, body] = answer.split('\r\n\r\n')
  return { head: `${head}\r\n`, body: JSON.parse(body ?? '') }
}

/**
 * Sends bytes to the published port of http, from this machine.
 *
 * @param patienceMs how long nothing may come before the first byte
 * @param restMs how long nothing may come after it
 */
async function exchange (bytes: string, patienceMs = 1000, restMs = patienceMs): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => {}).on('data', (data) => {
    received += data.toString('latin1')
    socket.setTimeout(restMs)
  })
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.write(Buffer.from(bytes, 'latin1'))
  await new Promise(resolve => socket.on('close', resolve))
  return received
}

async function reset (bytes: string, afterMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(bytes)
  await new Promise(resolve => setTimeout(resolve, afterMs))
  socket.resetAndDestroy()
}

async function askHttps (
  ca: string, path: string, headers: IncomingHttpHeaders = {}
): Promise<{ status: number, headers: IncomingHttpHeaders, body: string }> {
  const request = httpsRequest({ host: '127.0.0.1', port: httpsPort, path, headers, ca, agent: false }).end()
  const [answer] = await once(request, 'response')
  let body = ''
  for await (const chunk of answer) body += String(chunk)
  return { status: answer.statusCode, headers: answer.headers, body }
}

async function askHttp2 (ca: string, path: string): Promise<object> {
  const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { ca })
  const [headers] = await once(session.request({ ':path': path }).end(), 'response')
  session.close()
  return headers
}

/** @returns undefined if the balancer does not speak this version of TLS */
async function agreedVersion (ca: string, version: SecureVersion): Promise<string | null | undefined> {
  const socket = connectTls({
    host: '127.0.0.1', port: httpsPort, ca, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0'
  })
  try {
    await once(socket, 'secureConnect')
    return socket.getProtocol()
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

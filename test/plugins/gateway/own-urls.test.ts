// A module's own URLs lead clients to the public address, whatever host the module knows.

import { join } from 'node:path'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startUpstream } from '../../fixtures/upstream.js'

/** Answers with the headers that the query names. `HOST` in them is what it gets in `Host`, as frameworks do. */
const { url, arrived } = await startUpstream(t, ({ url, headers }, response) => {
  for (const [name, value] of new URL(url, 'http://x').searchParams) {
    response.setHeader(name, value.replace('HOST', headers.host!))
  }
  response.setHeader('Content-Type', 'text/plain')
  response.writeHead(307).end()
})
const [, port] = /:(\d+)$/.exec(url)!
const modules = {
  '/api/academic': { upstream: url, public: true },
  '/api/hostel': { upstream: url, public: true, host: 'client' }
}
const environment = {
  MODULES_FILE: join(newDirectory(t, { 'modules.json': JSON.stringify({ modules }) }), 'modules.json'),
  TRUST_PROXY: '10.0.0.0/8'
}
const { app, client } = await startApp(t, environment)
const published = await startApp(t, { ...environment, PUBLIC_URL: 'https://erp.example' })

type Answer = Record<string, string | number | string[] | undefined>
async function answer (
  module: string, said: Record<string, string>, headers: Record<string, string> = {}, remoteAddress = client()
): Promise<Answer> {
  const query = new URLSearchParams(said).toString()
  const asked = { host: 'a.example', ...headers }
  return (await app.inject({ url: `/api/${module}?${query}`, remoteAddress, headers: asked })).headers
}

t.test('a URL of a module\'s inner address loses its origin, and no other URL does', async (t) => {
  const cases: Array<[given: string, comes: string]> = [
    ['http://HOST/api/academic/x/?a=b#c', '/api/academic/x/?a=b#c'],
    ['https://HOST/api/academic/x', '/api/academic/x'],
    ['HTTP://HOST', '/'],
    ['//HOST/x', '/x'],
    ['http://HOST//evil.example/x', '/.//evil.example/x'],
    ['http://HOST/\\evil.example/x', '/.//evil.example/x'],
    ['/api/academic/x', '/api/academic/x'],
    ['x', 'x'],
    // The two bytes of ü.
    ['http://HOST/\xc3\xbc', '/%C3%BC'],
    ['http://127.0.0.1/x', 'http://127.0.0.1/x'],
    [`http://127.0.0.2:${port}/x`, `http://127.0.0.2:${port}/x`],
    ['https://login.example/?next=http://HOST/', `https://login.example/?next=http://127.0.0.1:${port}/`],
    ['http://', 'http://']
  ]
  for (const [given, comes] of cases) {
    t.equal((await answer('academic', { Location: given })).location, comes, given)
  }
  t.match(
    await answer('academic', { 'Content-Location': 'http://HOST/x', Refresh: '5; url="http://HOST/y"' }),
    { 'content-location': '/x', refresh: '5; url="/y"' }
  )
})

t.test('a module that asks for the client\'s host gets it, and may take http for https', async (t) => {
  const { location } = await answer('hostel', { Location: 'http://HOST/api/hostel/x' })
  t.equal(arrived.at(-1)!.headers.host, 'a.example')
  t.equal(location, '/api/hostel/x')

  const { headers } = await published.app.inject({ url: '/api/hostel?Location=http://HOST/x', remoteAddress: client() })
  t.equal(headers.location, '/x')
  t.match(arrived.at(-1)!.headers, { host: 'erp.example', 'x-forwarded-host': 'erp.example' })
})

t.test('the client\'s host is what a trusted proxy says it is, and no client may say it', async (t) => {
  const proxy = { 'x-forwarded-for': client(), 'x-forwarded-host': 'erp.example:8443' }
  for (const [peer, headers, host] of [
    ['10.0.0.1', proxy, 'erp.example:8443'],
    [client(), proxy, 'a.example'],
    ['10.0.0.1', { 'x-forwarded-for': client() }, 'a.example'],
    ['10.0.0.1', { ...proxy, 'x-forwarded-host': 'client.example, erp.example' }, 'erp.example'],
    ['10.0.0.1', { ...proxy, 'x-forwarded-host': 'a b/"' }, 'a.example']
  ] as const) {
    await answer('hostel', {}, headers, peer)
    t.match(arrived.at(-1)!.headers, { host, 'x-forwarded-host': host })
  }
})

t.end()

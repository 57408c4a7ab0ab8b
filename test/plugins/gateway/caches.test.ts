// No shared cache gives the answer to one user to another: nginx's, and those that obey headers of their own.

import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { nginx, startNginx } from '../../fixtures/proxies.js'
import { newPeer } from '../../fixtures/socket.js'
import { startUpstream } from '../../fixtures/upstream.js'

/** Answers with the headers that the query names. */
const upstream = await startUpstream(t, ({ url, headers }, response) => {
  for (const [name, value] of new URL(url, 'http://x').searchParams) response.appendHeader(name, value)
  response.setHeader('Content-Type', 'text/plain')
  response.end(`for ${headers['x-user-name'] ?? headers.authorization ?? 'anyone'}`)
})
const { app, client, login, user } = await startApp(t, {
  MODULES: `/api/student=${upstream.url},/api/academic=${upstream.url};public,` +
    `/api/hostel=${upstream.url};public;token=pass`,
  TRUST_PROXY: '127.0.0.1'
})
await app.listen({ port: 0, host: '127.0.0.1' })
const someone = await user()
const token = (await login(client(), someone.username, someone.password)).json().data.token as string
const authorization = `Bearer ${token}`

type Said = Array<[name: string, value: string]>
const ask = async (module: string, said: Said, headers: Record<string, string> = { authorization }) =>
  await app.inject({ url: `/api/${module}?${new URLSearchParams(said).toString()}`, remoteAddress: client(), headers })

const year = 'Fri, 01 Jan 2100 00:00:00 GMT'

t.test('an answer to a token is private, unless its module decides about shared caches', async (t) => {
  const cases: Array<[said: Said, comes: string]> = [
    [[], 'private'],
    [[['Expires', year]], 'private'],
    [[['Cache-Control', 'max-age=60']], 'private, max-age=60'],
    [[['Cache-Control', 'max-age=1'], ['Cache-Control', 's-maxage=60']], 'private, max-age=1, s-maxage=60'],
    [[['Cache-Control', 'no-cache']], 'private, no-cache'],
    [[['Cache-Control', 'private="set-cookie", x="public, y"']], 'private, private="set-cookie", x="public, y"'],
    [[['Cache-Control', 'x="public']], 'private, x="public'],
    [[['Cache-Control', 'PRIVATE, max-age=60']], 'PRIVATE, max-age=60'],
    [[['Cache-Control', 'no-store']], 'no-store'],
    [[['Cache-Control', 'max-age=60,Public']], 'max-age=60,Public']
  ]
  for (const [said, comes] of cases) {
    t.equal((await ask('student', said)).headers['cache-control'], comes, JSON.stringify(said))
  }
})

t.test('nor does a header for one kind of cache publish it', async (t) => {
  const targeted = ['Surrogate-Control', 'CDN-Cache-Control', 'Cloudflare-CDN-Cache-Control', 'Edge-Control']
  const said = targeted.map((name): [string, string] => [name, 'max-age=60'])
  const names = targeted.map(name => name.toLowerCase())

  const silent = await ask('student', [...said, ['Cache-Control', 'no-store']])
  const onPurpose = await ask('student', [...said, ['Cache-Control', 'public']])

  t.same(names.filter(name => name in silent.headers), [])
  t.same(names.filter(name => name in onPurpose.headers), names)
})

t.test('an answer of a public module stays as it is, unless the module got credentials', async (t) => {
  const said: Said = [['Cache-Control', 'max-age=60']]
  t.equal((await ask('academic', said)).headers['cache-control'], 'max-age=60')
  t.equal((await ask('academic', [])).headers['cache-control'], undefined)
  t.equal((await ask('hostel', said, {})).headers['cache-control'], 'max-age=60')
  t.equal((await ask('hostel', said)).headers['cache-control'], 'private, max-age=60')
})

const skip = !nginx.installed && 'there is no nginx on PATH'
t.test('a cache of nginx, which stores what says nothing, gives it to nobody else', { skip }, async (t) => {
  const port = await startNginx(t, port => `
    proxy_cache_path cache keys_zone=all:1m;
    server {
      listen ${port};
      proxy_cache all;
      proxy_cache_valid 200 1h;
      proxy_set_header X-Forwarded-For ${newPeer()};
      location / { proxy_pass http://127.0.0.1:${(app.server.address() as AddressInfo).port}; }
    }`)
  for (const query of ['', '?Cache-Control=s-maxage=60', `?Expires=${encodeURIComponent(year)}`]) {
    const url = `http://127.0.0.1:${port}/api/student/1${query}`
    const own = await fetch(url, { headers: { authorization } })
    t.equal(await own.text(), `for ${someone.username}`)
    t.equal((await fetch(url)).status, 401, query)
  }
  const url = `http://127.0.0.1:${port}/api/student/1?Cache-Control=public,max-age=60`
  await fetch(url, { headers: { authorization } })
  t.equal((await fetch(url)).status, 200, 'it is cached if its module says public')
})

t.end()

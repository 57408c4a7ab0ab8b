// HAProxy's own page, by the part of deploy/haproxy that serves it.

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { end, newDirectory } from './fixtures/lifetime.js'
import { freePort } from './fixtures/redis.js'
import { until } from './fixtures/until.js'

const skip = spawnSync('haproxy', ['-v']).status !== 0 && 'there is no haproxy on PATH'
const file = readFileSync(new URL('../deploy/haproxy/haproxy.cfg', import.meta.url), 'utf8')
const [ops] = /^frontend ops[^]*/m.exec(file)!
const [logFormat] = /^ *log-format .*/m.exec(file)!

t.test('the balancer shows the replicas that exist, and is healthy as long as one answers', { skip }, async (t) => {
  const port = await freePort()
  const settings = `
defaults outside
  mode http
  timeout connect 1s
  timeout client 5s
  timeout server 5s
resolvers docker
  nameserver dns 127.0.0.1:9
backend api from outside
  server-template api- 20 api:3000 check init-addr none resolvers docker
  server down 127.0.0.1:9 check inter 100ms fall 1
backend api-unready from outside
  server up 127.0.0.1:${port} check inter 100ms fall 1
${ops.replace(':8404', `127.0.0.1:${port}`)}`
  const directory = newDirectory(t, { 'haproxy.cfg': settings })
  const haproxy = spawn('haproxy', ['-db', '-f', join(directory, 'haproxy.cfg')], { stdio: 'ignore' })
  t.after(() => end(haproxy))

  let page = ''
  await until(async () => {
    page = await (await fetch(`http://127.0.0.1:${port}/`)).text()
    return page.includes('>down<')
  })

  t.match(page, '>up<')
  t.notMatch(page, '>api-1<')
  await until(async () => /^api,down,.*,DOWN,/m.test(await (await fetch(`http://127.0.0.1:${port}/;csv`)).text()))
  const { status } = await fetch(`http://127.0.0.1:${port}/healthz`)
  t.equal(status, 200, 'it is healthy with replicas that are not ready, as while PostgreSQL is away')
})

t.test('the balancer logs the path of a request, and not the token in its query', { skip }, async (t) => {
  const port = await freePort()
  const directory = newDirectory(t, {
    'haproxy.cfg': `
global
  log stdout format raw local0 info
defaults
  mode http
  log global
${logFormat}
  timeout connect 1s
  timeout client 5s
  timeout server 5s
frontend web
  bind 127.0.0.1:${port}
  http-request return status 503
`
  })
  const haproxy = spawn('haproxy', ['-db', '-f', join(directory, 'haproxy.cfg')], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  t.after(() => end(haproxy))
  let log = ''
  haproxy.stdout.on('data', (chunk: Buffer) => { log += chunk.toString() })
  await until(async () => (await fetch(`http://127.0.0.1:${port}/second-factor?token=secret`)).status === 503)
  await until(() => log.includes('\n'), 'a line is logged')
  t.match(log, '"GET /second-factor HTTP/1.1"')
  t.notMatch(log, 'secret')
})

t.end()

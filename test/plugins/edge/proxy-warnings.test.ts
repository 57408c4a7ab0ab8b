// The log reports a proxy that is taken for a client, and nothing else.

import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import { parseClient, parseNetwork } from '#src/limiter/limits/client.js'
import { watchForProxies } from '#src/plugins/edge/proxy-warnings.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startApp } from '../../fixtures/app.js'

type Line = { level: number, code: string, client?: string }

/** Sends requests of clients past a watcher of its own, and gives what that wrote to the log. */
function watch (trustProxy: string[] = []): {
  send: (times: number, address: string, headers?: object) => void
  lines: Line[]
} {
  const lines: Line[] = []
  const notice = watchForProxies({ trustProxy: trustProxy.map(parseNetwork) }, pino({}, {
    write: text => lines.push(JSON.parse(text))
  }))
  const send = (times: number, address: string, headers: object = {}): void => {
    for (let i = 0; i < times; i++) notice({ headers } as FastifyRequest, parseClient(address)!)
  }
  return { send, lines }
}

// L33 L34
t.test('the log reports once that nearly all requests come from one private address', async (t) => {
  for (const address of ['10.0.0.7', '172.18.0.1', '192.168.1.1', '100.64.0.9', '169.254.1.1', 'fd00::7', 'fe80::1']) {
    const { send, lines } = watch()
    send(1, '203.0.113.1')
    send(2000, address)
    t.match(lines, [{ level: 40, client: parseClient(address)!.key, code: 'proxy_suspected' }], address)
    send(5000, address)
    t.equal(lines.length, 1, 'once')
  }
})

t.test('a share of nine tenths, a public address and this machine itself cause no warning', async (t) => {
  for (const address of ['203.0.113.1', '2001:db8::1', '127.0.0.1', '::1']) {
    const { send, lines } = watch(['10.0.0.0/8'])
    send(5000, address)
    t.same(lines, [], address)
  }
  const { send, lines } = watch()
  for (let i = 0; i < 500; i++) {
    send(9, '10.0.0.7')
    send(1, '10.0.0.8')
  }
  t.same(lines, [])
})

t.test('the log reports an X-Forwarded-For that is not trusted, once', async (t) => {
  const { send, lines } = watch()
  send(5, '203.0.113.1', { 'x-forwarded-for': '198.51.100.1' })
  t.match(lines, [{ level: 40, code: 'forwarded_header_ignored' }])
  t.equal(lines.length, 1)

  const trusting = watch(['10.0.0.0/8'])
  trusting.send(5, '203.0.113.1', { 'x-forwarded-for': '198.51.100.1' })
  t.same(trusting.lines, [])
})

t.test('an unconfigured proxy in front of the balancer is reported; an exempt client is not', async (t) => {
  const limits = newDirectory(t, { 'limits.json': '{"networks":{"10.8.0.9/32":{"general":"exempt"}}}' })
  const { app, logs } = await startApp(t, { TRUST_PROXY: '10.203.113.0/24', LIMITS_FILE: `${limits}/limits.json` })
  const warnings = (): unknown[] => logs.filter(({ level }) => level === 40)
  const send = async (address: string): Promise<void> => {
    for (let i = 0; i < 1100; i++) {
      await app.inject({ url: '/api/nothing', remoteAddress: '10.203.113.2', headers: { 'x-forwarded-for': address } })
    }
  }
  await send('10.8.0.9')
  t.same(warnings(), [])
  await send('10.8.0.4')
  t.match(warnings(), [{ client: '10.8.0.4', code: 'proxy_suspected' }])
})

t.end()

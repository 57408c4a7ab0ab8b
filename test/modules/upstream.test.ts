// A module is reached where its name leads now, and no request fails when that changes.

import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import t, { type Test } from 'tap'
import type { UpstreamAnswer } from '#src/modules/answer.js'
import { Upstream } from '#src/modules/upstream.js'
import { freePort } from '../fixtures/redis.js'
import { until } from '../fixtures/until.js'

/** A module at each of these addresses of this machine, on one port. Each answers with its own address. */
async function startAt (t: Test, addresses: string[], answer?: RequestListener): Promise<number> {
  const port = await freePort()
  for (const address of addresses) {
    const server = createServer((request, response) => {
      if (request.url === '/held') answer!(request, response)
      else response.end(address)
    }).listen(port, address)
    await once(server, 'listening')
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
  }
  return port
}

/** Makes every name lead to these addresses, in this order. */
function nameLeadsTo (t: Test, addresses: () => string[]): void {
  t.intercept(dns, 'lookup', {
    value: (_name: string, _options: dns.LookupAllOptions, callback: (e: null, all: dns.LookupAddress[]) => void) =>
      setImmediate(() => callback(null, addresses().map(address => ({ address, family: 4 }))))
  })
}

/** After it, a connection whose answer has ended is free again. */
const turn = async (): Promise<void> => await new Promise(resolve => setImmediate(resolve))

const ask = async (upstream: Upstream, path = '/'): Promise<string> => {
  const { body } = await new Promise<UpstreamAnswer>((resolve, reject) => {
    upstream.request(
      { method: 'GET', path, headers: {}, body: null, idleMs: 10_000, onHeaders: () => {} },
      (error, answer) => { if (error) reject(error); else resolve(answer!) })
  })
  await turn()
  return Buffer.isBuffer(body) ? body.toString() : String((await body.toArray()).join(''))
}

function open (t: Test, port: number): Upstream {
  const upstream = new Upstream(`http://module.test:${port}`, { onOpen: () => {}, onClose: () => {} })
  t.after(async () => await upstream.close())
  return upstream
}

t.test('a module that moved is reached there after half a minute, and no request under way fails', async (t) => {
  let held: ServerResponse | undefined
  const port = await startAt(t, ['127.0.0.1', '127.0.0.2'], (_request, response) => { held = response })
  let now = '127.0.0.1'
  nameLeadsTo(t, () => [now])
  const upstream = open(t, port)
  const slow = ask(upstream, '/held')
  t.equal(await ask(upstream), '127.0.0.1')

  now = '127.0.0.2'
  t.equal(await ask(upstream), '127.0.0.1', 'the connection is young')
  const realNow = performance.now.bind(performance)
  t.intercept(performance, 'now', { value: () => realNow() + 31_000 })
  await ask(upstream)
  for (let i = 0; i < 5; i++) t.equal(await ask(upstream), '127.0.0.2')
  held!.end('127.0.0.1')

  t.equal(await slow, '127.0.0.1')
})

t.test('connections spread over all addresses of a module, although a lookup names the same one first', async (t) => {
  const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
  const port = await startAt(t, addresses)
  nameLeadsTo(t, () => addresses)
  const upstream = open(t, port)

  const answered = await Promise.all(Array.from({ length: 60 }, async () => await ask(upstream)))

  t.same([...new Set(answered)].sort(), addresses)
})

t.test('an address without a module costs its own requests, while another connection is open', async (t) => {
  const answers: ServerResponse[] = []
  const port = await startAt(t, ['127.0.0.1'], (_request, response) => { answers.push(response) })
  let now = '127.0.0.1'
  nameLeadsTo(t, () => [now])
  const upstream = open(t, port)
  const slow = ask(upstream, '/held')
  await until(() => answers.length > 0)

  now = '127.0.0.2'
  await t.rejects(ask(upstream), { cause: { code: 'ECONNREFUSED' } })
  now = '127.0.0.1'
  t.equal(await ask(upstream), '127.0.0.1', 'the circuit breaker is closed')
  answers[0]!.end('slow')
  t.equal(await slow, 'slow')
})

t.end()

// The page that a reset mail links to runs only its own code and does not leak its address.

import { createHash } from 'node:crypto'
import t from 'tap'
import { startApp } from '../fixtures/app.js'

const { app, client } = await startApp(t)

t.test('the reset page runs only its own script and style, and sends no referrer', async (t) => {
  const { statusCode, headers, body } = await app.inject({ url: '/reset-password', remoteAddress: client() })
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/html; charset=utf-8')
  t.equal(headers['referrer-policy'], 'no-referrer')
  t.equal(headers['cache-control'], 'no-store')
  const policy = String(headers['content-security-policy'])
  for (const element of ['script', 'style']) {
    const [, content = ''] = new RegExp(`<${element}>(.*)</${element}>`, 's').exec(body) ?? []
    t.ok(content.length > 100)
    t.match(policy, `${element}-src 'sha256-${createHash('sha256').update(content).digest('base64')}';`)
  }
  t.match(policy, /default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/)
  t.notMatch(body, /\son\w+=|style="|src=|https?:/, 'nothing inline that the policy would stop, nothing from elsewhere')
})

t.end()

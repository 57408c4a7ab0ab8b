// The page of the document needs no other host, shows every operation, and is in production only if DOCS=true.

import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { GRAVE, mustBeAccessible, mustFit, noChromium, openBrowser } from '../../fixtures/chromium.js'
import { newKeyPair } from '../../fixtures/keys.js'
import { startRedis } from '../../fixtures/redis.js'
import { startUpstream } from '../../fixtures/upstream.js'

const production = {
  NODE_ENV: 'production',
  JWT_SECRET: '',
  JWT_PRIVATE_KEY: String(newKeyPair('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

t.test('the page needs nothing from another host, and its policy allows its own files and nothing else', async (t) => {
  const { app, client } = await startApp(t)
  const page = await app.inject({ url: '/docs', remoteAddress: client() })
  t.equal(page.statusCode, 200)
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, file]) => file!)
  t.equal(files.length, 4)
  t.notMatch(
    page.body, /\son\w+=|style="|<script>|<style>|https?:/,
    'nothing inline that the policy would stop, nothing from elsewhere'
  )
  for (const url of ['/docs', '/docs/openapi.json', ...files]) {
    const { statusCode, headers } = await app.inject({ url, remoteAddress: client() })
    t.equal(statusCode, 200, url)
    t.match(headers['content-type'], /^(text\/html|application\/json|text\/css|text\/javascript); charset=utf-8$/)
    const csp = String(headers['content-security-policy'])
    t.match(csp, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';/)
    t.match(csp, / frame-ancestors 'none'$/)
  }
})

t.test('a browser that obeys the policy shows every operation once, with each of its statuses, readable by all',
  { skip: noChromium }, async (t) => {
    const { app } = await startApp(t)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const page = await (await openBrowser(t)).newPage({ viewport: { width: 390, height: 844 } })
    const faults: string[] = []
    const hosts = new Set<string>()
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', message => faults.push(message.text()))
    page.on('request', request => hosts.add(new URL(request.url()).origin))

    await page.goto(`${url}/docs`)
    await page.click('#operations-Login-login .opblock-summary-control')
    await page.click('#operations-Login-login .try-out__btn')

    const statuses = await page.$$eval('#operations-Login-login tr.response[data-code]', rows =>
      rows.map(row => row.getAttribute('data-code')))
    t.same(statuses, [200, 400, 401, 403, 404, 405, 408, 413, 414, 415, 429, 431, 500, 502, 503, 504].map(String))
    t.same(await page.locator('.opblock-summary-path').allTextContents(), [
      '/api/auth/login', '/api/auth/logout', '/api/auth/me', '/api/auth/oidc/token', '/api/auth/refresh',
      '/api/auth/sessions', '/api/auth/sessions/{id}', '/auth/UserCreation', '/auth/forgot-password',
      '/auth/changePassword', '/auth/resetPassword', '/reset-password', '/api/auth/second-factor',
      '/.well-known/jwks.json'
    ])
    await mustBeAccessible(t, page, GRAVE)
    await mustFit(t, page)
    t.same([faults, [...hosts]], [[], [url]])
  })

// S94
t.test('in production there is neither page nor document, unless DOCS=true', async (t) => {
  const { url: REDIS_URL } = await startRedis(t)
  for (const [DOCS, expected] of [['', 404], ['true', 200]] as const) {
    const { app, client } = await startApp(t, { ...production, REDIS_URL, DOCS })
    for (const url of ['/docs', '/docs/start.js', '/docs/openapi.json']) {
      t.equal((await app.inject({ url, remoteAddress: client() })).statusCode, expected, `${url} with DOCS=${DOCS}`)
    }
  }
})

t.test('the document of a module is shown beside ours, fetched once a minute; none, or more than 5 MB, is 502',
  async (t) => {
    const { url, arrived } = await startUpstream(t, ({ url }, response) => {
      response.writeHead(url === '/nowhere' ? 404 : 200)
        .end(url === '/large.json' ? `"${'x'.repeat(5_000_000)}"` : '{"openapi":"3.1.0"}')
    })
    const files = { student: 'openapi.json', hostel: 'nowhere', marks: 'large.json' }
    const { app, client } = await startApp(t, {
      MODULES: Object.entries(files).map(([name, file]) => `/api/${name}=${url};openapi=${url}/${file}`).join()
    })
    const ask = async (path: string) => await app.inject({ url: `/docs${path}`, remoteAddress: client() })
    t.match((await ask('')).body, '<a href="/docs?module=student">student</a>')
    t.match((await ask('/start.js')).body, '"student":"/docs/modules/student.json"')
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask('/modules/student.json')))
    t.strictSame(replies.map(({ body }) => body), Array(10).fill('{"openapi":"3.1.0"}'))
    t.equal(arrived.length, 1)
    for (const [name, status] of [['hostel', 502], ['marks', 502], ['employee', 404]] as const) {
      t.equal((await ask(`/modules/${name}.json`)).statusCode, status, name)
    }
  })

t.end()

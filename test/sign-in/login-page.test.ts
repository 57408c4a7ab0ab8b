// The login page of examples/, in a real browser: there and back, and nothing of the sign-in stays behind.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startApp } from '../fixtures/app.js'
import { startBentProvider } from '../fixtures/bent-provider.js'
import { mustBeAccessible, noChromium, openBrowser } from '../fixtures/chromium.js'
import { root } from '../fixtures/markdown.js'
import { freePort } from '../fixtures/redis.js'
import { signInSettings } from '../fixtures/sign-in.js'
import { startUpstream } from '../fixtures/upstream.js'

const skip = noChromium

t.test('a person of the school signs in by the button, and a stranger comes to a page', { skip }, async (t) => {
  const provider = await startBentProvider(t)
  const port = await freePort()
  const gatehouse = `http://127.0.0.1:${port}`
  const erp = await startUpstream(t, ({ url = '' }, response) => {
    if (url === '/settings.json') return response.end(JSON.stringify({ gatehouse, provider: 'a' }))
    const name = url === '/login.js' ? 'login.js' : 'index.html'
    response.setHeader('content-type', name === 'login.js' ? 'text/javascript' : 'text/html')
    response.end(readFileSync(join(root, 'examples/login-page', name)))
  })
  const { app, user } = await startApp(t, {
    ...signInSettings(t, [{ issuer: provider.issuer, domains: ['school.example'] }]),
    LOGIN_URL: `${erp.url}/`,
    CORS_ORIGINS: erp.url,
    PUBLIC_URL: gatehouse
  })
  await app.listen({ port, host: '127.0.0.1' })
  const { id, username } = await user()
  const email = `${username}@school.example`
  await app.db.user.update({ where: { id }, data: { email } })
  provider.person = { sub: username, email, email_verified: true, hd: 'school.example' }

  const context = await (await openBrowser(t)).newContext()
  const page = await context.newPage()
  await page.goto(`${erp.url}/`)
  await page.getByRole('button').click()
  await page.getByText(`Hello, ${username}.`).waitFor()
  t.equal(page.url(), `${erp.url}/`, 'the ticket is gone from the address')
  t.same(await context.cookies(), [], 'the flow, too')
  t.equal(await page.evaluate('sessionStorage.length'), 0)

  provider.person = { ...provider.person, sub: 'a stranger', hd: 'other.example' }
  await page.getByRole('button').click()
  await page.getByText('no account of gatehouse belongs to it').waitFor()
  await mustBeAccessible(t, page)
  await page.getByRole('link').click()
  await page.getByRole('button').waitFor()
})

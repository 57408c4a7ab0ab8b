// The login page of examples/, in a real browser, through HAProxy: there and back, and nothing of the sign-in stays
// behind.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startApp } from '../fixtures/app.js'
import { startBalancer } from '../fixtures/balancer.js'
import { startBentProvider } from '../fixtures/bent-provider.js'
import { mustBeAccessible, noChromium, openBrowser } from '../fixtures/chromium.js'
import { root } from '../fixtures/markdown.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { signInSettings } from '../fixtures/sign-in.js'
import { listen, startUpstream } from '../fixtures/upstream.js'

const skip = noChromium

t.test('a person of the school signs in by the button, and a stranger comes to a page', { skip }, async (t) => {
  const provider = await startBentProvider(t)
  const balancer = await startBalancer(t, 2)
  const { port = balancer.places[0]!.PORT } = balancer
  const gatehouse = `http://127.0.0.1:${port}`
  const erp = await startUpstream(t, ({ url = '' }, response) => {
    if (url === '/settings.json') return response.end(JSON.stringify({ gatehouse, provider: 'a' }))
    const name = url === '/login.js' ? 'login.js' : 'index.html'
    response.setHeader('content-type', name === 'login.js' ? 'text/javascript' : 'text/html')
    response.end(readFileSync(join(root, 'examples/login-page', name)))
  })
  const settings = {
    ...signInSettings(t, [{ issuer: provider.issuer, domains: ['school.example'] }]),
    LOGIN_URL: `${erp.url}/`,
    CORS_ORIGINS: erp.url,
    PUBLIC_URL: gatehouse,
    DATABASE_URL: await newDatabase(),
    JWT_SECRET: 'a secret of both replicas for their tokens'
  }
  const [one, two] = [await startApp(t, settings), await startApp(t, settings)]
  for (const [i, { PORT, OPS_PORT }] of balancer.places.entries()) {
    await [one, two][i]!.app.listen({ port: Number(PORT), host: '127.0.0.1' })
    await listen(t, (_request, response) => { response.end() }, Number(OPS_PORT))
  }
  await balancer.serves(2)
  const { app, user } = one
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
  const served = [one, two].map(({ logs }) => logs.filter(({ route }) => String(route).includes('/oidc/')).length)
  t.ok(balancer.port === undefined || served.every(count => count > 0), `both replicas had a part: ${served.join()}`)

  provider.person = { ...provider.person, sub: 'a stranger', hd: 'other.example' }
  await page.getByRole('button').click()
  await page.getByText('no account of gatehouse belongs to it').waitFor()
  await mustBeAccessible(t, page)
  await page.getByRole('link').click()
  await page.getByRole('button').waitFor()
})

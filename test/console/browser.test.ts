// The console in a real browser: by keyboard, in dark mode, on a phone, and without requests to other hosts.

import t, { type Test } from 'tap'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { newClient } from '../fixtures/app.js'
import { mustBeAccessible, mustFit, noChromium, openBrowser } from '../fixtures/chromium.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startServer, type RunningServer } from '../fixtures/process.js'
import { startRedis } from '../fixtures/redis.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const grave = ['serious', 'critical']
const OPS_TOKEN = 'bN7cVx2Zq9LkWf4Hs6JdTg8YrPm3EaUi'

t.test('an operator signs in, sees who is refused, looks it up and resets it', { skip: noChromium }, async (t) => {
  const { url: REDIS_URL } = await startRedis(t)
  const server = await startServer(t, {
    DATABASE_URL: await newDatabase(), DATA_DIR: newDirectory(t), REDIS_URL, OPS_TOKEN, TRUST_PROXY: '127.0.0.1'
  })
  const browser = await openBrowser(t)
  const client = newClient()

  const faults: string[] = []
  async function open (options: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage()
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== server.opsUrl) faults.push(`another host: ${request.url()}`)
    })
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', (message) => {
      // What Chromium says of the form's own 401.
      if (message.type() === 'error' && !/status of 401/.test(message.text())) faults.push(message.text())
    })
    await page.goto(`${server.opsUrl}/console`)
    return page
  }

  const page = await open({ viewport: { width: 1240, height: 900 } })
  await t.test('a visitor who is not signed in gets the sign-in form', async (t) => {
    await mustBeAccessible(t, page, grave)
    await page.keyboard.type('a wrong one, and long enough to be one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'not the OPS_TOKEN' }).waitFor()
    await page.getByLabel('OPS_TOKEN').fill(OPS_TOKEN)
    await page.keyboard.press('Enter')
    await page.locator('#connection[data-state=live]').waitFor()
    const cookies = await page.context().cookies()
    t.match(cookies, [{ name: 'gatehouse-console', httpOnly: true, sameSite: 'Strict' }])
    t.notOk(JSON.stringify(cookies).includes(OPS_TOKEN))
  })

  await t.test('a client is shown within seconds of its first refusal, and read aloud', async (t) => {
    await page.getByText('Nobody has been refused').waitFor()
    for (let i = 0; i < 6; i++) await failLogin(server, client)
    const row = page.getByRole('row').filter({ hasText: client })
    await until(async () => await row.isVisible(), 'it is shown', 5000)
    t.match(await row.textContent(), /login1$/)
    t.match(await page.locator('#heard').textContent(), `login refuses ${client}.`)
    const card = page.getByRole('article').filter({ hasText: '1 refused' }).filter({ hasText: 'login' })
    await card.waitFor()
    t.match(await page.getByRole('img', { name: /^login: 5 admitted and 1 refused/ }).count(), 1)
  })

  await t.test('it is looked up and reset by keyboard alone, after a confirmation', async (t) => {
    await page.getByRole('button', { name: client }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Buckets of ${client}` }).waitFor()
    const bucket = page.locator('#buckets article').filter({ hasText: 'login' })
    t.match(await bucket.textContent(), /0 of 5 tokens.*next tokenin (\d+ s|1 min), at .*fullin [45] min/)
    t.ok(await page.getByRole('img', { name: /^0 of 5 tokens; the next in/ }).isVisible(), 'its refill is drawn')

    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.ariaLabel'), `Reset login of ${client}`)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await mustBeAccessible(t, page, grave)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    t.equal((await failLogin(server, client)).status, 429, 'nothing was reset')

    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(`The login bucket of ${client} is full: 5 tokens.`).waitFor()
    await until(async () => (await failLogin(server, client)).status === 401, 'the client is admitted again')
    t.match(server.logs.find(({ event }) => event === 'bucket_reset'), { policy: 'login', subject: client })
  })

  await t.test('the limit that is in force stands beside what it decided', async (t) => {
    const { code, stderr } = await command(['limits', 'set', 'login', '--capacity', '2'], { REDIS_URL })
    t.equal(code, 0, stderr)
    const other = newClient()
    for (const status of [401, 401, 429]) t.equal((await failLogin(server, other)).status, status)
    const card = page.locator('#decisions article').filter({ hasText: '2 at once' })
    await card.waitFor()
    t.match(await card.textContent(), /^login.*2 at once, then 1 every 1m$/)
    t.equal(await page.getByRole('img', { name: /^login: \d+ admitted and \d+ refused, at most/ }).count(), 1)
    t.match(await card.locator('path.refused').getAttribute('d'), /^M/)
  })

  await t.test('tables show all columns at 1,280 px, with the longest limits, networks and reasons', async (t) => {
    const why = 'the script of the hostel is theirs, until it is mended, and somebody has promised that for this week'
    const network = '2001:db8:1234:5678::/64'
    for (const change of [
      ['set', 'login', '--network', network, '--capacity', '300', '--refill', '100', '--why', why],
      ['try', 'general', '--capacity', '99999', '--refill', '99999', '--period', '30m']
    ]) t.match(await command(['limits', ...change], { REDIS_URL }), { code: 0 })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('#limits').getByRole('cell', { name: network }).waitFor()
    await page.locator('#limits').getByRole('cell', { name: '99999 at once' }).waitFor()
    const hidden = "[...document.querySelectorAll('.scroll')].filter(box => box.scrollWidth > box.clientWidth).length"
    t.equal(await page.evaluate(hidden), 0)
    await page.setViewportSize({ width: 1240, height: 900 })
  })

  await t.test('what an operator types, and what is answered, is text and never markup', async (t) => {
    await page.getByLabel('Address').fill('<img src=x onerror=alert(1)>')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Buckets of <img' }).waitFor()
    t.equal(await page.locator('#buckets img').count(), 0)
    await page.getByLabel('Address').fill('x'.repeat(128))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Buckets of ${'x'.repeat(128)}` }).waitFor()
    await mustFit(t, page)
  })
  await mustBeAccessible(t, page, grave)

  await t.test('it fits a phone, also in the dark, with the last minutes at once and rows as cards', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = await open({ viewport: { width: 390, height: 844 }, colorScheme, reducedMotion: 'reduce' })
      await phone.getByLabel('OPS_TOKEN').fill(OPS_TOKEN)
      await mustFit(t, phone)
      await phone.keyboard.press('Enter')
      await phone.locator('#connection[data-state=live]').waitFor()
      t.match(await phone.locator('#decisions').textContent(), /^login\d+ admitted \d+ refused/)
      t.ok(await phone.getByRole('row').filter({ hasText: 'login' }).getByRole('cell').nth(2).isVisible())
      const label = 'getComputedStyle(document.querySelector("#limits td:nth-child(3)"), "::before").content'
      t.equal(await phone.evaluate(label), '"Limit"')
      await phone.getByLabel('Address').fill(client)
      await phone.keyboard.press('Enter')
      await phone.locator('#buckets article').first().waitFor()
      await mustFit(t, phone)
      await mustBeAccessible(t, phone)
      await mustBeDistinct(t, phone)
      const [red] = /\d+/.exec(await phone.evaluate('getComputedStyle(document.body).backgroundColor'))!
      t.equal(Number(red) < 50, colorScheme === 'dark')
    }
  })

  await t.test('a token in a header needs no sign-in, and has no session to sign out of', async (t) => {
    const other = await open({ extraHTTPHeaders: { authorization: `Bearer ${OPS_TOKEN}` } })
    await other.locator('#connection[data-state=live]').waitFor()
    t.notOk(await other.getByRole('button', { name: 'Sign out' }).isVisible())
  })

  await t.test('signing out ends the session, and the page says if its replica is gone', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('OPS_TOKEN').fill(OPS_TOKEN)
    await page.keyboard.press('Enter')
    await page.locator('#connection[data-state=live]').waitFor()
    t.strictSame(faults, [], 'no violation of the policy, no error, and no request to another host')
    await server.stop()
    await page.getByText('connection lost').waitFor()
  })
})

const failLogin = (server: RunningServer, client: string): Promise<Response> => fetch(`${server.url}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
  body: JSON.stringify({ username: 'demo', password: 'wrong horse battery' })
})

/** WCAG 1.4.11: what is drawn has a contrast of 3 with what is behind it. axe looks at texts only. */
async function mustBeDistinct (t: Test, page: Page): Promise<void> {
  const colours = await page.evaluate(`[document.querySelector('.tile'), ...document.querySelectorAll('.key')]
    .map(node => getComputedStyle(node).backgroundColor)`) as string[]
  const [behind, ...drawn] = colours.map(luminanceOf)
  t.equal(new Set(colours).size, 3)
  for (const one of drawn) {
    const [dark, light] = [one, behind!].sort((a, b) => a - b) as [number, number]
    t.ok((light + 0.05) / (dark + 0.05) >= 3, colours.join(' '))
  }
}

/** Relative luminance, as WCAG defines it. */
function luminanceOf (colour: string): number {
  const [red, green, blue] = [...colour.matchAll(/\d+/g)].map(([part]) => Number(part) / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

t.end()

// The pages in a real browser, on a phone in dark mode and in Hindi, and without JavaScript.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import t from 'tap'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { startApp } from '../fixtures/app.js'
import { mustBeAccessible, mustFit, noChromium, openBrowser } from '../fixtures/chromium.js'
import { phoneOf, recoveryCodesIn, secretIn } from '../fixtures/phone.js'
import { linkFor } from '../fixtures/second-factor.js'
import { freePort } from '../fixtures/redis.js'
import { startSmtp } from '../fixtures/smtp.js'
import { until } from '../fixtures/until.js'

const skip = noChromium
const port = await freePort()
const PUBLIC_URL = `http://127.0.0.1:${port}`
const smtp = await startSmtp(t)
const { app, user } = await startApp(t, {
  PUBLIC_URL, SMTP_URL: smtp.url, APP_NAME: `School${'-of-everything'.repeat(4)}`, LOGIN_URL: 'https://erp.school.example/'
})
await app.listen({ port, host: '127.0.0.1' })
const browser = skip ? undefined! : await openBrowser(t)

async function person () {
  const { id, username, password } = await user()
  await app.db.user.update({ where: { id }, data: { email: `${username}@school.example` } })
  return { username, password }
}

/** Whatever the policy of the page stops, and every error, ends in `faults`. */
async function open (options: object, path: string): Promise<{ page: Page, faults: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })).newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', (message) => {
    // What Chromium says of an answer that is no success.
    if (message.type() === 'error' && !/status of 4/.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${PUBLIC_URL}${path}`)
  return { page, faults }
}

t.test('on a phone: a link is asked for, sets a password, and used again asks for a new one', { skip }, async (t) => {
  const { username } = await person()
  const { page, faults } = await open({ locale: 'hi-IN', colorScheme: 'dark' }, '/reset-password')
  const says = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  const setPassword = async (text: string) => {
    await page.getByLabel('नया पासवर्ड').fill(text)
    await page.getByRole('button', { name: 'पासवर्ड सेट करें' }).click()
  }
  await mustFit(t, page)
  await mustBeAccessible(t, page)
  await page.getByLabel('उपयोगकर्ता नाम या ईमेल पता').fill(username)
  await page.keyboard.press('Enter')
  await says('नया लिंक भेजा जा रहा है')
  await until(() => smtp.mails.length > 0, 'the mail has come')
  const [link = ''] = /http:\S+/.exec(smtp.mails[0]!.email.text!) ?? []

  await page.goto(link)
  t.equal(await page.locator('[autocomplete=username][readonly]:visible').inputValue(), username, 'for managers')
  t.equal(page.url(), `${PUBLIC_URL}/reset-password`, 'the token is not in the address bar')
  await mustFit(t, page)
  await mustBeAccessible(t, page)
  await page.getByRole('button', { name: 'पासवर्ड दिखाएँ' }).click()
  await setPassword('password1')
  await says('अंदाज़ा लगाना आसान है')
  t.equal(await page.getByLabel('नया पासवर्ड').getAttribute('type'), 'password', 'it is hidden when it is sent')
  await setPassword('a new horse battery')
  await says('आपका पासवर्ड सेट हो गया है')

  await page.goto(link)
  await setPassword('another horse battery')
  await says('यह लिंक अब मान्य नहीं है')
  t.equal(await page.getByLabel('उपयोगकर्ता नाम या ईमेल पता').inputValue(), username)
  t.same(faults, [])
})

t.test('without JavaScript a password is changed, and managers find its fields', { skip }, async (t) => {
  const { username, password } = await person()
  const { page, faults } = await open({ javaScriptEnabled: false, locale: 'en-US' }, '/.well-known/change-password')
  const change = async (currentPassword: string) => {
    await page.locator('[autocomplete=username]').fill(username)
    await page.locator('[autocomplete=current-password]').fill(currentPassword)
    await page.locator('[autocomplete=new-password]').fill('a new horse battery')
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  t.equal(await page.getByRole('button', { name: 'Show password' }).count(), 0, 'it would do nothing')

  await change('wrong horse battery')
  await page.getByText('The username or the current password is wrong.').waitFor()
  await mustFit(t, page)
  await change(password)
  await page.getByText('Your password has been changed. Please log in.').waitFor()

  t.equal(await page.getByRole('link').getAttribute('href'), 'https://erp.school.example/')
  t.same(faults, [])
})

t.test('the page that changes a password is accessible in light and in dark mode', { skip }, async (t) => {
  for (const colorScheme of ['light', 'dark']) {
    const { page, faults } = await open({ colorScheme, locale: 'hi-IN' }, '/change-password')

    await mustBeAccessible(t, page)
    await mustFit(t, page)
    const back = await page.evaluate('getComputedStyle(document.body).backgroundColor') as string
    t.equal(Number(/\d+/.exec(back)![0]) < 50, colorScheme === 'dark')
    t.same(faults, [])
  }
})

t.test('a second factor: its picture is read off a dark phone, and a code is confirmed', { skip }, async (t) => {
  const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  await prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer }, fireImmediately: true })
  const { id } = await user({ username: '\u0905\u0915'.repeat(15) })
  const token = await linkFor({ app }, id)
  const { page, faults } = await open(
    { locale: 'hi-IN', colorScheme: 'dark' }, `/second-factor?token=${token}`
  )
  await mustFit(t, page)
  await mustBeAccessible(t, page)
  const [read] = await readBarcodes(new Blob([new Uint8Array(await page.screenshot({ fullPage: true }))]))
  const secret = secretIn(await page.content())
  t.match(read, { ecLevel: 'M', text: new RegExp(`^otpauth://totp/.*[?]secret=${secret}&issuer=`) })
  t.equal(await page.getByText('इसी डिवाइस').getAttribute('href'), read!.text)

  let posts = 0
  await page.route('**/*', async (route) => {
    if (route.request().method() === 'POST') {
      posts++
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    await route.continue().catch(() => {})
  })

  const phone = phoneOf(secret)
  const send = async (code: string) => {
    await page.locator('[autocomplete=one-time-code][inputmode=numeric]').fill(code)
    const button = page.getByRole('button')
    await button.scrollIntoViewIfNeeded()
    const { x, y } = (await button.boundingBox())!
    await page.mouse.click(x + 9, y + 9)
    await page.mouse.click(x + 9, y + 9)
  }
  // Seven steps, if the next one begins before it is checked, are four minutes as well.
  await send(phone.code(8))
  await page.getByRole('status').filter({ hasText: '4 मिनट' }).waitFor()
  await send(phone.code())
  await page.getByRole('status').filter({ hasText: 'हो गया' }).waitFor()
  t.equal(recoveryCodesIn(await page.content()).length, 10)
  t.equal(posts, 2, 'a double click sends a form once')
  await mustFit(t, page)
  await mustBeAccessible(t, page)
  t.same(faults, [])
})

// A mail fits on the screen of a small phone, whatever is in it.

import t from 'tap'
import { readLanguages } from '#src/languages/languages.js'
import { letter, letterToSeveral } from '#src/mail/letters.js'
import { mustFit, noChromium, openBrowser } from '../fixtures/chromium.js'

t.test('no mail has to be scrolled sideways on a screen of 320 pixels', { skip: noChromium }, async (t) => {
  const browser = await openBrowser(t)
  const page = await (await browser.newContext({ viewport: { width: 320, height: 568 }, isMobile: true })).newPage()
  const username = 'a'.repeat(64)
  const link = new URL(`https://login.school.example/reset-password#token=${'x'.repeat(43)}&username=${username}`)
  const wording = { appName: 'School'.repeat(10), loginUrl: new URL(`https://erp.school.example/${'y'.repeat(80)}`) }

  const account = { username, hasPassword: true, link }
  for (const language of readLanguages().values()) {
    const letters = [
      ...(['password_reset', 'password_changed', 'invitation', 'test'] as const).map(kind =>
        letter(kind, account, language, wording)),
      letterToSeveral([account, account], language, wording)
    ]
    for (const { html, subject } of letters) {
      await page.setContent(html)
      await mustFit(t, page)
      t.equal(await page.evaluate('innerWidth'), 320, `${subject} in ${language.code}`)
    }
  }
})

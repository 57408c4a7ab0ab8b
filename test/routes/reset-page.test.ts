// The pages run only their own code, are in the reader's language, and escape what an operator has set.

import { createHash } from 'node:crypto'
import t from 'tap'
import { startApp } from '../fixtures/app.js'

const { app, client } = await startApp(t, {
  APP_NAME: '</title><b>"R&D"', LOGIN_URL: 'https://erp.school.example/?a="<b>&next=1'
})
const get = (url: string, language?: string) =>
  app.inject({ url, remoteAddress: client(), headers: language === undefined ? {} : { 'accept-language': language } })

for (const url of ['/reset-password']) {
  t.test(`${url} runs only its own script and style, and tells no other site of itself`, async (t) => {
    const { statusCode, headers, body } = await get(url)

    t.equal(statusCode, 200)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.equal(headers['referrer-policy'], 'same-origin')
    t.equal(headers['cache-control'], 'no-store')
    const policy = String(headers['content-security-policy'])
    for (const element of ['script', 'style']) {
      const [, content = ''] = new RegExp(`<${element}>(.*)</${element}>`, 's').exec(body) ?? []
      t.ok(content.length > 100)
      t.match(policy, `${element}-src 'sha256-${createHash('sha256').update(content).digest('base64')}';`)
    }
    t.match(policy, /default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/)
    t.notMatch(body, /\son\w+=|style="|src=/, 'nothing inline that the policy would stop, nothing from elsewhere')
  })

  t.test(`${url} is in the language that the reader prefers among those that there are`, async (t) => {
    const table = [
      ['hi', 'hi'], ['hi-IN,en;q=0.5', 'hi'], ['en-GB,hi;q=0.9', 'en'], ['ta,hi;q=0.2', 'hi'], ['hi;q=0', 'en'],
      ['ta', 'en'], ['*', 'en'], [undefined, 'en'], [',;q=,', 'en']
    ] as const
    for (const [accepted, language] of table) {
      const { headers, body } = await get(url, accepted)

      t.match(headers, { 'content-language': language, vary: /Accept-Language/ }, String(accepted))
      t.match(body, `<html lang="${language}">`)
      t.equal(/[\u0900-\u097f]/.test(body), language === 'hi')
    }
  })

  t.test(`${url} escapes APP_NAME and LOGIN_URL, and leads there`, async (t) => {
    const { body } = await get(url)

    t.match(body, ' - &#60;/title&#62;&#60;b&#62;&#34;R&#38;D&#34;</title>')
    t.match(body, '<a href="https://erp.school.example/?a=%22%3Cb%3E&#38;next=1">Back to &#60;/title&#62;')
    t.notMatch(body, '<b>')
  })
}

t.end()

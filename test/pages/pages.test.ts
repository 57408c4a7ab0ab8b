// The pages run only their own code, are in the reader's language, and escape what an operator has set.

import { createHash } from 'node:crypto'
import t from 'tap'
import { startApp } from '../fixtures/app.js'
import { answers, newPeer, open } from '../fixtures/socket.js'

const { app, client, login, logs, user } = await startApp(t, {
  APP_NAME: '</title><b>"R&D"', LOGIN_URL: 'https://erp.school.example/?a="<b>&next=1'
})
const get = (url: string, language?: string) =>
  app.inject({ url, remoteAddress: client(), headers: language === undefined ? {} : { 'accept-language': language } })

for (const url of ['/reset-password', '/change-password']) {
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

const change = (fields: object, headers: Record<string, string> = {}, remoteAddress = client()) => app.inject({
  method: 'POST',
  url: '/change-password',
  remoteAddress,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  payload: new URLSearchParams({ newPassword: 'a new horse battery', ...fields }).toString()
})
const saidIn = ({ body }: { body: string }) => /<p role="status">(.*)<\/p>/.exec(body)?.[1]

t.test('password managers find the page for changing a password', async (t) => {
  const { statusCode, headers } = await get('/.well-known/change-password')

  t.equal(statusCode, 302)
  t.equal(headers.location, '/change-password')
})

t.test('a form without a script changes a password, and each answer is a page in the reader\'s language', async (t) => {
  const { username, password: currentPassword } = await user()
  const hi = { 'accept-language': 'hi' }
  const answered = async (status: number, said: string, fields: object, headers = {}): Promise<string> => {
    const reply = await change({ username, currentPassword, ...fields }, headers)
    t.equal(reply.statusCode, status)
    t.equal(saidIn(reply), said)
    t.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
    t.match(reply.headers['content-security-policy'], /form-action 'self'/)
    return reply.body
  }

  const wrong = { username: '"><b>', currentPassword: 'wrong' }
  const again = await answered(401, 'The username or the current password is wrong.', wrong)
  t.match(again, 'value="&#34;&#62;&#60;b&#62;"', 'what was typed is text')
  t.notMatch(again, 'value="wrong"')
  const code = 'The username, the current password or the code is wrong. A code works once: wait for the next one.'
  await answered(401, code, { ...wrong, code: '123456' })
  await answered(400, 'पासवर्ड में कम से कम 8 अक्षर होने चाहिए।', { newPassword: 'short' }, hi)
  await answered(400, 'The new password must not be the current one.', { newPassword: currentPassword })
  await answered(400, 'That did not work. Please try again in a few seconds.', { unknown: 'x' })
  t.notMatch(await answered(200, 'आपका पासवर्ड बदल दिया गया है। कृपया लॉग इन करें।', {}, hi), '<form')

  t.equal((await login(client(), username, 'a new horse battery')).statusCode, 200)
  t.equal((await login(client(), username, currentPassword)).statusCode, 401)
})

t.test('the form takes from login, and its refusal is a page that says how long to wait', async (t) => {
  const address = client()
  for (let i = 0; i < 5; i++) await login(address, 'nobody', 'wrong')

  const reply = await change({ username: 'nobody', currentPassword: 'wrong' }, { 'accept-language': 'hi' }, address)

  t.equal(reply.statusCode, 429)
  const wait = String(reply.headers['retry-after'])
  t.equal(saidIn(reply), `बहुत ज़्यादा बार कोशिश की गई है। कृपया ${wait} सेकंड बाद फिर से कोशिश करें।`)
})

t.test('no other site can send the form, and none but this path takes one', async (t) => {
  const address = client()
  for (const origin of ['null', 'https://evil.example']) {
    for (let i = 0; i < 6; i++) t.equal((await change({}, { origin }, address)).statusCode, 403)
  }
  t.equal((await login(address, 'nobody', 'wrong')).statusCode, 401, 'and a refused one has taken no token')

  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = 'username=a&currentPassword=b&newPassword=c'
  const other = { method: 'POST', url: '/auth/changePassword', headers, payload: form } as const
  t.equal((await app.inject({ ...other, remoteAddress: client() })).statusCode, 415)
  t.equal((await change({}, { 'content-type': 'application/json' })).statusCode, 415)
})

t.test('a form that is compressed, or not in UTF-8, changes no password', async (t) => {
  const { username, password } = await user()
  const post = async (newPassword: string, headers = {}) => (await app.inject({
    method: 'POST',
    url: '/change-password',
    remoteAddress: client(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: `username=${username}&currentPassword=${encodeURIComponent(password)}&newPassword=${newPassword}`
  })).statusCode

  t.equal(await post('caf%E9+quiet+lamps'), 400)
  t.equal(await post('three+quiet+lamps', { 'content-encoding': 'gzip' }), 415)
  t.equal((await login(client(), username, password)).statusCode, 200)
})

t.test('a form beyond the limit with a broken body gets one answer', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const peer = newPeer()
  for (let i = 0; i < 5; i++) await change({ username: 'nobody', currentPassword: 'wrong' }, {}, peer)
  const socket = await open(app, peer)

  socket.write([
    'POST /change-password HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/x-www-form-urlencoded',
    'Transfer-Encoding: chunked', '', 'ZZZ', ''
  ].join('\r\n'))

  t.match(await answers(socket), [{ status: 429, headers: { 'content-type': 'text/html; charset=utf-8' } }])
  t.notOk(logs.some(({ level }) => Number(level) >= 40))
})

t.end()

import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { noChromium, openBrowser } from '../../fixtures/chromium.js'
import { listen } from '../../fixtures/upstream.js'

const skip = noChromium

t.test('a page of an allowed origin reads a refusal; one of a foreign origin reads nothing', { skip }, async (t) => {
  const [own, foreign] = [await servePage(), await servePage()]
  const { app, logs } = await startApp(t, { CORS_ORIGINS: own })
  const api = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await openBrowser(t)

  const ownPage = await browser.newPage()
  await ownPage.goto(own)
  const replies = await ownPage.evaluate(logInSixTimes, api)
  t.same(replies.map(({ status }) => status), [401, 401, 401, 401, 401, 429])
  const { headers, body } = replies[5]!
  const info = body.rateLimitInfo!
  t.match(info, { limit: 5, remaining: 0, retryAfter: Number })
  t.match(headers, {
    'retry-after': `${info.retryAfter}`,
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': `${Date.parse(info.resetTime) / 1000}`,
    'x-ratelimit-retry-after': `${info.retryAfter}`,
    'x-request-id': /^[\da-f-]{36}$/
  })

  const foreignPage = await browser.newPage()
  await foreignPage.goto(foreign)
  t.match(await foreignPage.evaluate(read, api), /TypeError/)
  await t.rejects(foreignPage.evaluate(logInSixTimes, api), /TypeError/)
  t.match(logs.filter(({ code }) => code === 'FORBIDDEN'), [{ status: 403 }], 'the service refused them')
})

t.end()

function servePage (): Promise<string> {
  return listen(t, (_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>page</title>')
  })
}

interface Reply {
  status: number
  headers: Record<string, string>
  body: { rateLimitInfo?: { retryAfter: number, resetTime: string } }
}

/** Runs in the page. */
async function logInSixTimes (api: string): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < 6) {
    const reply = await fetch(`${api}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"username":"nobody","password":"wrong password"}'
    })
    const { status, headers } = reply
    replies.push({ status, headers: Object.fromEntries(headers), body: await reply.json() as Reply['body'] })
  }
  return replies
}

/** Runs in the page; a request without a preflight. */
const read = (api: string): Promise<string> => fetch(`${api}/api/auth/me`).then(({ status }) => String(status), String)

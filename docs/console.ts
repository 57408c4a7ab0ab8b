import { setTimeout } from 'node:timers/promises'
import { openBrowser } from '../test/fixtures/chromium.js'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { run, startServer } from '../test/fixtures/process.js'
import { startRedis } from '../test/fixtures/redis.js'

/*
 * `npm run docs:console` takes the picture of the console: of a real service under five minutes of traffic, in which
 * a few clients try passwords, and an operator changes limits.
 */

const TRAFFIC_MS = 290_000
const token = 'mT4qLw9ZrX2vKc7NbY5sDf8HgJ3pAe6U'

/** What an operator does about the clients of `send`: each change, so long after the traffic has begun. */
const changes: Array<[afterMs: number, change: string[], why: string]> = [
  [60_000, ['set', 'login', '--capacity', '3'], 'someone guesses passwords of demo, INC-421'],
  [75_000, ['try', 'general', '--capacity', '60'], 'would half of it do?'],
  [150_000, ['set', 'general', '--capacity', '90'], 'the script of the hostel is theirs, until it is mended']
]

const ends: Array<() => unknown> = []
const t: Lifetime = { after: (end) => { ends.unshift(end as () => unknown) } } as Lifetime

try {
  await takePicture()
} finally {
  for (const end of ends) await end()
}

async function takePicture (): Promise<void> {
  const { url: REDIS_URL } = await startRedis(t)
  const { url, opsUrl } = await startServer(t, {
    DATA_DIR: newDirectory(t), REDIS_URL, OPS_TOKEN: token, TRUST_PROXY: '127.0.0.1'
  })
  const browser = await openBrowser(t)
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1240, height: 1100 } })
  await page.goto(`${opsUrl}/console`)
  await page.getByLabel('OPS_TOKEN').fill(token)
  await page.keyboard.press('Enter')
  await page.locator('#connection[data-state=live]').waitFor()
  await Promise.all([send(url), changeLimits(REDIS_URL)])
  await page.locator('#refused table').waitFor()
  await page.getByLabel('Address').fill('198.51.100.23')
  await page.keyboard.press('Enter')
  await page.getByText('next token').first().waitFor()
  await page.mouse.click(1, 1)
  const { y, height } = (await page.locator('section', { has: page.locator('#history') }).boundingBox())!
  const clip = { x: 0, y: 0, width: 1240, height: Math.ceil(y + height) + 20 }
  await page.screenshot({ path: 'docs/console.png', fullPage: true, clip })
}

async function changeLimits (REDIS_URL: string): Promise<void> {
  const startedMs = Date.now()
  for (const [afterMs, change, why] of changes) {
    await setTimeout(startedMs + afterMs - Date.now())
    const args = ['limits', ...change, '--why', why, '--author', 'asha@ops']
    const { code, stderr } = await run('cli', args, { REDIS_URL })
    if (code !== 0) throw new Error(stderr)
  }
}

/** Some hundred users at work, one script in a hurry, and two who guess passwords. */
async function send (url: string): Promise<void> {
  const untilMs = Date.now() + TRAFFIC_MS
  const ask = (client: string, path: string, body?: object): Promise<unknown> => fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-forwarded-for': client, 'content-type': 'application/json' },
    ...body && { body: JSON.stringify(body) }
  }).then(reply => reply.arrayBuffer())
  for (let turn = 0; Date.now() < untilMs; turn++) {
    const wave = 14 + 10 * Math.sin(turn / 25)
    const asked = Array.from({ length: Math.round(wave * (0.6 + 0.8 * Math.random())) }, () =>
      ask(`192.0.2.${Math.floor(Math.random() * 250)}`, '/api/auth/me'))
    if (turn % 120 > 60) asked.push(...Array.from({ length: 4 }, () => ask('203.0.113.7', '/api/auth/me')))
    const guess = { username: 'demo', password: `guess ${turn}` }
    if (turn % 5 === 0) asked.push(ask('198.51.100.23', '/api/auth/login', guess))
    if (turn % 23 === 0) asked.push(ask('2001:db8:7::1', '/auth/forgot-password', { username: 'demo' }))
    await Promise.all(asked)
    await setTimeout(200)
  }
}

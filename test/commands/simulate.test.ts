// gatehouse simulate as operators run it: on the service's own log, compressed, from standard input, with a page.

import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { GRAVE, mustBeAccessible, mustFit, noChromium, openBrowser } from '../fixtures/chromium.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startRedis } from '../fixtures/redis.js'
import { startApp } from '../fixtures/app.js'

const simulate = (args: string[], input = '') => command(['simulate', ...args], {}, input)

/** So many logins of a client, a second apart. */
const logins = (client: string, count: number, status = 401): string => Array.from({ length: count }, (_, i) =>
  `${client} - - [21/Nov/2026:10:00:${String(i).padStart(2, '0')} +0000] "POST /api/auth/login HTTP/1.1" ${status} 1\n`
).join('')

t.test('the service\'s own log, with its summaries, is refused again what it refused', async (t) => {
  const { app, logs } = await startApp(t)
  for (let i = 0; i < 12; i++) {
    await app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress: '2001:db8:17::1', payload: {} })
  }
  app.repeats.close()
  const log = join(newDirectory(t), 'log')
  writeFileSync(log, logs.map(line => `${JSON.stringify(line)}\n`).join(''))
  const { code, stdout, stderr } = await simulate([log, '--json'])
  t.equal(code, 0, stderr)
  const { policies, clients, lines } = JSON.parse(stdout)
  t.match(policies, [{ policy: 'login', requests: 12, refused: 7, refusedInLog: 7, clients: 1 }])
  t.same(clients, [{ policy: 'login', client: '2001:db8:17::/64', refused: 7, refusedInLog: 7 }])
  t.equal(lines.unreadable, 0)
})

t.test('logs are read compressed, from standard input and several at once; limits of networks hold', async (t) => {
  const limits = '{"policies":{"login":{"capacity":2,"refill":1,"period":"1h"}},' +
    '"networks":{"192.0.2.9":{"login":"exempt"}}}'
  const directory = newDirectory(t, { 'limits.json': limits, 'b.log': logins('2001:db8::2', 3, 429) })
  writeFileSync(join(directory, 'a.log'), gzipSync(logins('192.0.2.9', 9) + logins('2001:db8::1', 3)))
  const { code, stdout, stderr } = await simulate([
    join(directory, 'a.log'), join(directory, 'b.log'), '-', '--limits', join(directory, 'limits.json'), '--json',
    '--suggest', '1%'
  ], logins('::ffff:198.51.100.7', 1))
  t.equal(code, 0, stderr)
  const report = JSON.parse(stdout)
  t.match(report, {
    from: '2026-11-21T10:00:00.000Z',
    lines: { read: 16, unreadable: 0 },
    policies: [{ policy: 'login', limit: { capacity: 2 }, requests: 16, refused: 4, refusedInLog: 3 }],
    hours: [{ hour: '2026-11-21T10:00Z', policy: 'login', refused: 4 }],
    clients: [{ client: '2001:db8::/64', refused: 4, refusedInLog: 3 }],
    suggestions: [{ policy: 'login', good: 4, capacity: 6, refused: 0 }]
  })
  const text = await simulate([join(directory, 'b.log'), '--suggest'])
  t.match(text.stdout, /^3 requests from .*\nlogin {3}5 at once, then 1 every 1m {2}3 .*\n/s)
})

t.test('a balancer is seen through where TRUST_PROXY names it, and named where it does not', async (t) => {
  const log = Array.from({ length: 120 }, (_, i) =>
    logins('10.0.0.5', 1).replace('\n', ` "-" "-" "198.51.100.${i % 100}, 10.0.0.6"\n`)).join('')
  const directory = newDirectory(t, { 'nginx.log': log })
  const replay = async (TRUST_PROXY: string) =>
    JSON.parse((await command(['simulate', join(directory, 'nginx.log'), '--json'], { TRUST_PROXY })).stdout)

  const seen = await replay('10.0.0.0/24')
  const unseen = await replay('')

  t.match(seen, { policies: [{ requests: 120, refused: 0 }], notes: [] })
  t.match(unseen, {
    policies: [{ requests: 120, refused: 115, clients: 1 }],
    notes: [/^100 % of the requests are from 10\.0\.0\.5, which looks like a balancer.* Set TRUST_PROXY=10\.0\.0\.5/]
  })
})

t.test('a balancer with several addresses is named, too, and so are proxies whose lines name no client', async (t) => {
  const from = (address: (i: number) => string): string =>
    Array.from({ length: 120 }, (_, i) => logins(address(i), 1)).join('')
  const zones = from(i => `10.0.${i % 3}.5`)
  const notesOf = async (log: string, TRUST_PROXY = ''): Promise<string[]> => {
    const file = join(newDirectory(t, { 'a.log': log }), 'a.log')
    return JSON.parse((await command(['simulate', file, '--json'], { TRUST_PROXY })).stdout).notes
  }

  t.match(await notesOf(zones), [/^100 % of the requests are from 10\.0\.0\.5,10\.0\.1\.5,10\.0\.2\.5, each counted/])
  t.match(await notesOf(zones, '10.0.0.0/8'), [/^100 % of the requests are from proxies of TRUST_PROXY/])
  t.match(await notesOf(from(i => `198.51.100.${i % 60}`), '198.51.100.0/24'), [/proxies of TRUST_PROXY/])
  t.same(await notesOf(from(i => `10.0.0.${i % 60}`)), [], 'pupils of a school')
})

/** The report on a log under these limits, in JSON and as text. */
async function replay (t: Test, limits: object, log: string, ...args: string[]) {
  const directory = newDirectory(t, { 'limits.json': JSON.stringify(limits), 'a.log': log })
  const call = [join(directory, 'a.log'), '--limits', join(directory, 'limits.json'), ...args]
  return { ...JSON.parse((await simulate([...call, '--json'])).stdout), text: (await simulate(call)).stdout }
}

t.test('a network with a limit of its own gets a suggestion of its own', async (t) => {
  const limits = { networks: { '192.0.2.0/24': { login: { capacity: 50, refill: 1, period: '1h' } } } }
  const log = logins('192.0.2.9', 9) + logins('198.51.100.7', 2)

  const { suggestions } = await replay(t, limits, log, '--suggest')

  t.match(suggestions, [
    { policy: 'login', good: 2, capacity: 2 },
    { policy: 'login', network: '192.0.2.0/24', now: { capacity: 50, period: '1h' }, good: 9, capacity: 9 }
  ])
})

t.test('the report says what a limit that is off, or an exemption, leaves unrefused', async (t) => {
  const row = { capacity: 2, refill: 1, period: '1h' }
  const cases: Array<[why: string, limits: object]> = [
    ['off', { policies: { login: { ...row, mode: 'off' } } }],
    ['off', { policies: { login: row }, networks: { '192.0.2.0/24': { login: { ...row, mode: 'shadow' } } } }],
    ['exempt', { policies: { login: row }, networks: { '192.0.2.0/24': { login: 'exempt' } } }]
  ]
  for (const [why, limits] of cases) {
    const { policies, text } = await replay(t, limits, logins('192.0.2.1', 9))
    t.match(policies, [{ requests: 9, refused: 0, unenforced: { [why]: 9 } }])
    t.match(text, `refused none of 9 requests. Not enforced for 9 requests under login (${why}).`)
  }
})

t.test('the mode of everyone is not said of a network with its own; a blocked network is refused', async (t) => {
  const row = { capacity: 2, refill: 1, period: '1h' }
  const limits = {
    policies: { login: { ...row, mode: 'off' } },
    networks: { '192.0.2.0/24': { login: row }, '198.51.100.0/24': { login: 'block' } }
  }
  const log = logins('192.0.2.1', 9) + logins('198.51.100.7', 5, 403) + logins('203.0.113.9', 4)
  const { policies, clients } = await replay(t, limits, log)
  t.match(policies, [{ requests: 18, refused: 12, clients: 2, unenforced: { off: 4 } }])
  t.match(clients, [{ client: '192.0.2.1', refused: 7 }, { client: '198.51.100.7', refused: 5 }])
})

t.test('a kind of compression other than gzip is named, with what to do', async (t) => {
  const directory = newDirectory(t)
  writeFileSync(join(directory, 'a.xz'), Buffer.from('fd377a585a000004', 'hex'))
  t.match(await simulate([join(directory, 'a.xz')]), {
    code: 1, stderr: /a\.xz is compressed by xz, which is not read here: .* this writes: xz -dc .*a\.xz\n/
  })
})

t.test('a carriage return alone ends a line', async (t) => {
  const { code, stdout } = await simulate(['-', '--json'], logins('192.0.2.1', 7).replaceAll('\n', '\r'))
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { lines: { read: 7, unreadable: 0 }, policies: [{ requests: 7, refused: 2 }] })
})

t.test('without a file the limits are those in force, and standard error says which', async (t) => {
  const redis = await startRedis(t)
  const environment = { REDIS_URL: redis.url }
  const replay = () => command(['simulate', '-', '--json'], environment, logins('192.0.2.1', 7))
  t.match(await replay(), { code: 0, stdout: /"refused": 2/, stderr: /are those of LIMITS_FILE and the defaults\n$/ })
  t.match(await command(['limits', 'set', 'login', '--capacity', '3'], environment), { code: 0 })
  t.match(await replay(), { code: 0, stdout: /"refused": 4/, stderr: /are those of version 1, over LIMITS_FILE/ })
  redis.process.kill('SIGKILL')
  t.match(await replay(), { code: 0, stdout: /"refused": 2/, stderr: /without what was set while the service runs/ })
})

t.test('a compressed log that is cut off or damaged is named, and nothing is reported of its beginning', async (t) => {
  const whole = gzipSync(Array.from({ length: 3000 }, (_, i) => logins(`10.0.${i >> 8}.${i & 255}`, 1)).join(''))
  const directory = newDirectory(t, { 'whole.log': logins('192.0.2.1', 1) })
  const [cut, damaged] = [join(directory, 'cut.gz'), join(directory, 'damaged.gz')]
  writeFileSync(cut, whole.subarray(0, -100))
  whole.writeInt32LE(whole.readInt32LE(whole.length - 8) ^ 1, whole.length - 8)
  writeFileSync(damaged, whole)
  for (const [file, why] of [[cut, 'unexpected end of file'], [damaged, 'incorrect data check']]) {
    t.match(await simulate([join(directory, 'whole.log'), file!]), {
      code: 1, stdout: '', stderr: `gatehouse: ${file} cannot be read to its end: ${why}\n`
    })
  }
})

t.test('a page has everything in it, no script, and nothing of a log unescaped', async (t) => {
  const evil = '</style><script src="http://evil.example"></script>\u001b[2J'
  const directory = newDirectory(t, { 'a.log': `${evil}\n${logins('192.0.2.1', 9)}` })
  const page = join(directory, 'page.html')
  const { code, stdout } = await simulate([join(directory, 'a.log'), '--html', page, '--suggest'])
  t.equal(code, 0)
  t.match(stdout, /^1 of 10 lines could not be read:\n.*a\.log:1: <\/style>/m)
  t.notMatch(stdout, '\u001b')
  const html = await readFile(page, 'utf8')
  t.match(html, /<polyline class="refused" points="[\d., ]+"\/>/)
  t.match(html, /content="default-src &#39;none&#39;;/)
  t.notMatch(html, /<script|(src|href)="|url\(/)
  t.notMatch(html, '\u001b')
  t.notMatch(html.replace(/&#34;http:\/\/evil\.example&#34;/g, ''), /https?:/)
  t.same(unclosed(html), [], 'well-formed')
})

t.test('the page is readable on a phone, in the light and in the dark, with its labels clear of the lines',
  { skip: noChromium }, async (t) => {
    const directory = newDirectory(t, { 'a.log': logins('192.0.2.1', 9) + logins('192.0.2.2', 3, 429) })
    const file = join(directory, 'page.html')
    t.match(await simulate([join(directory, 'a.log'), '--html', file, '--suggest']), { code: 0 })
    const browser = await openBrowser(t)

    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme })
      await page.goto(`file://${file}`)
      t.match(await page.locator('h1 + p').textContent(), 'These limits would have refused 4 of 12 requests')
      await mustFit(t, page)
      await mustBeAccessible(t, page, GRAVE)
      const gaps = await page.$$eval('figure', figures => figures.map((figure) => {
        const [caption, line, ends] = ['figcaption', 'polyline', '.ends'].map(name =>
          figure.querySelector(name)!.getBoundingClientRect())
        return Math.min(line!.top - caption!.bottom, ends!.top - line!.bottom)
      }))
      t.ok(gaps.every(gap => gap > 2), `${gaps}`)
    }
  })

t.test('bad and hostile lines are counted; a file without any readable line is a failure', async (t) => {
  const huge = 'x'.repeat(3_000_000)
  const bad = [
    '\0\0', huge, `{"${huge}`, '{"client":"__proto__"}',
    '__proto__ - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
    '192.0.2.1 - - [22/Nov/9999:00:00:00 +0000] "GET / HTTP/1.1" 200 1',
    '{"time":"2026-11-21T10:00:00Z","policy":"__proto__","code":"TOO_MANY_REQUESTS","count":1,"sinceMs":1,' +
      '"msg":"repeated requests"}'
  ].join('\n')
  const directory = newDirectory(t, {
    'bad.log': bad, 'mixed.log': `${bad}\n${logins('192.0.2.1', 7)}`, 'empty.log': ''
  })
  const mixed = await simulate([join(directory, 'mixed.log'), join(directory, 'empty.log'), '--json'])
  t.equal(mixed.code, 0, mixed.stderr)
  t.match(JSON.parse(mixed.stdout), { lines: { unreadable: 7 }, policies: [{ requests: 7, refused: 2 }] })
  t.equal(JSON.parse(mixed.stdout).lines.first.length, 3)
  t.match(await simulate([join(directory, 'bad.log')]), {
    code: 1, stdout: '', stderr: /^gatehouse: .*bad\.log has no line that can be read\. Known are .* JSON lines/
  })
  t.match(await simulate([join(directory, 'empty.log')]), { code: 1, stderr: /there is no request in it/ })
  t.match(await simulate([directory]), { code: 1, stderr: /is a directory/ })
  t.match(await simulate([join(directory, 'none.log')]), { code: 3 })
  t.match(await simulate([]), { code: 2, stderr: /at least 1 argument\(s\) for LOG/ })
  t.match(await simulate([join(directory, 'mixed.log'), '--suggest', '100%']), { code: 2, stderr: /such as 0\.1%/ })
})

/** Tags that are opened and never closed, or the other way. */
function unclosed (html: string): string[] {
  const open: string[] = []
  for (const [, close, name = '', self] of html.matchAll(/<(\/?)([a-z][a-z\d]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (self) continue
    if (!close) open.push(name)
    else if (open.pop() !== name) return [`</${name}>`]
  }
  return open
}

t.end()

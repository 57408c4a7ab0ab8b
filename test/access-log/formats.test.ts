// Lines of nginx, HAProxy, gatehouse and others are read correctly. Hostile lines do no harm.

import t from 'tap'
import { mergeByTime } from '#src/access-log/in-order.js'
import { parseJson } from '#src/access-log/json-format.js'
import type { Line, LoggedRequest } from '#src/access-log/logged-request.js'
import type { TimedRequest } from '#src/access-log/requests.js'
import { parseText } from '#src/access-log/text-format.js'
import { unwrapLine } from '#src/access-log/wrappers.js'

const at = (iso: string): number => Date.parse(iso)

/** As these programs wrote them: nginx 1.22, HAProxy 2.6, Apache's common format. */
const golden: Array<[line: string, expected: Partial<LoggedRequest>]> = [
  ['127.0.0.1 - - [22/Nov/2026:00:04:54 +0000] "POST /api/auth/login HTTP/1.1" 429 169 "-" "a\\x22b\\x5Cc {x}"', {
    timeMs: at('2026-11-22T00:04:54Z'), client: '127.0.0.1', method: 'POST', path: '/api/auth/login', status: 429
  }],
  ['2001:db8:7::9 - - [22/Nov/2026:00:04:54 +0530] "GET /nowhere HTTP/1.1" 200 2 "-" "curl/7.88.1"', {
    timeMs: at('2026-11-21T18:34:54Z'), client: '2001:db8:7::9', path: '/nowhere'
  }],
  ['127.0.0.1 - joe [22/Nov/2026 [22/Nov/2026:00:04:54 -0100] "GET /api/student/a%20b\\x22q HTTP/1.1" 200 2 "-" "-"', {
    timeMs: at('2026-11-22T01:04:54Z'), path: '/api/student/a%20b\\x22q'
  }],
  ['192.0.2.2 - joe [22/Nov/2026:00:04:54 +0000] [99/Foo/2026:00:04:54 +0000] [22/Nov/2026:00:04:55 +0000] "GET /u ' +
    'HTTP/1.1" 401 2 "-" "-"', {
    // The name of a user cannot hide a request.
    timeMs: at('2026-11-22T00:04:55Z'), client: '192.0.2.2', path: '/u', status: 401
  }],
  ['192.0.2.1 - - [10/Oct/2025:13:55:36 -0700] "GET /a\\"b HTTP/1.0" 404 -', { path: '/a\\"b', status: 404 }],
  ['127.0.0.1:44666 [22/Nov/2026:00:04:54.511] public api/web 0/0/0/1/1 429 307 - - ---- 1/1/0/0/0 0/0 ' +
    '{a#22b\\c #7Bx#7D} "POST /api/auth/login HTTP/1.1"', {
    timeMs: new Date(2026, 10, 22, 0, 4, 54, 511).getTime(), client: '127.0.0.1', method: 'POST', status: 429
  }],
  ['<134>Nov 22 00:04:54 lb1 haproxy[71]: 2001:db8::1:49940 [22/Nov/2026:00:04:54.520] public~ api/web ' +
    '0/0/0/0/+90000 200 +124 - - ---- 1/1/0/0/0 0/0 {x y} {z|} "GET https://erp.example/api/auth/me?x=1 HTTP/2.0" id', {
    // It lasted 90 s, so its line comes late.
    timeMs: new Date(2026, 10, 22, 0, 5, 54, 520).getTime(),
    client: '2001:db8::1',
    path: 'https://erp.example/api/auth/me?x=1'
  }],
  ['127.0.0.1:44676 [22/Nov/2026:00:04:54.693] public api/web 0/0/0/0/0 200 124 - - ---- 1/1/0/0/0 0/0 "GET /cut?aaa', {
    path: '/cut?aaa'
  }],
  ['{"level":30,"time":"2026-11-22T00:15:00.500Z","reqId":"4aa9f3c3-f9ca-4413-a32c-7af99f3ccf26","method":"GET",' +
    '"route":"/api/student/*","status":200,"durationMs":500,"client":"2001:db8::/64","userId":17,"msg":"request"}', {
    timeMs: at('2026-11-22T00:15:00Z'), client: '2001:db8::/64', path: '/api/student/*', user: 17
  }],
  ['{"level":30,"time":"2026-11-22T00:15:10Z","client":"198.51.100.7","policy":"login","code":"TOO_MANY_REQUESTS",' +
    '"count":44,"sinceMs":10012,"msg":"repeated requests"}', {
    timeMs: at('2026-11-22T00:15:10Z'), policyName: 'login', status: 429, count: 44, spanMs: 10012
  }],
  ['{"ts":1763769600.25,"request":{"client_ip":"192.0.2.9","method":"GET","uri":"/x"},"status":200}', {
    timeMs: 1763769600250, client: '192.0.2.9', path: '/x'
  }],
  ['{"time_iso8601":"2026-11-22T00:00:00+05:30","remote_addr":"192.0.2.9","request":"GET /y HTTP/1.1",' +
    '"status":"404"}', {
    timeMs: at('2026-11-21T18:30:00Z'), method: 'GET', path: '/y', status: 404
  }],
  ['{"ClientHost":"192.0.2.9","RequestMethod":"GET","RequestPath":"/z","DownstreamStatus":200,' +
    '"StartUTC":"2026-11-21T18:30:00.123456789Z"}', { timeMs: at('2026-11-21T18:30:00.123Z'), path: '/z' }],
  // nginx's `main`, Apache's `vhost_combined` and Traefik's text format, after their documentation.
  ['10.0.0.5 - - [22/Nov/2026:00:04:54 +0000] "GET /m HTTP/1.1" 200 2 "-" "a b" "198.51.100.7, 10.0.0.9"', {
    client: '10.0.0.5', forwarded: '198.51.100.7, 10.0.0.9', path: '/m'
  }],
  ['erp.example:443 198.51.100.8 - asha [22/Nov/2026:00:04:54 +0000] "GET /v HTTP/1.1" 200 2 "-" "a"', {
    client: '198.51.100.8', path: '/v'
  }],
  ['192.0.2.80:443 2001:db8::8 - - [22/Nov/2026:00:04:54 +0000] "GET /v HTTP/1.1" 200 2', { client: '2001:db8::8' }],
  // lighttpd's default has the name of the site as the second word.
  ['198.51.100.4 127.0.0.1 - [22/Nov/2026:00:04:54 +0000] "GET /h HTTP/1.1" 200 2 "-" "a"', { client: '198.51.100.4' }],
  ['2001:db8::4 erp.example asha [22/Nov/2026:00:04:54 +0000] "GET /h HTTP/1.1" 200 2 "-" "a"', {
    client: '2001:db8::4'
  }],
  ['198.51.100.9 - - [22/Nov/2026:00:04:54 +0000] "GET /t HTTP/1.1" 200 2 "-" "-" 7 "erp@docker" "http://x" 3ms', {
    client: '198.51.100.9', forwarded: undefined, path: '/t'
  }],
  ['{"time_local":"22/Nov/2026:00:04:54 +0530","remote_addr":"10.0.0.5","http_x_forwarded_for":"198.51.100.7",' +
    '"request":"GET /l HTTP/1.1","status":"200","request_time":"4.000"}', {
    // It was written 4 s after the request began.
    timeMs: at('2026-11-21T18:34:50Z'), forwarded: '198.51.100.7', path: '/l'
  }],
  ['{"time_iso8601":"2026-11-22T00:00:00+00:00","remote_addr":"192.0.2.9","request_method":"GET",' +
    '"request_uri":"/api/auth/login","uri":"/429.json","status":"429"}', {
    // As nginx 1.22 writes a POST that its `error_page` answers: of the variables, `$request` alone still says POST.
    method: 'GET', path: '/api/auth/login'
  }],
  ['{"msec":"1763769600.250","remote_addr":"192.0.2.9","request":"GET /e HTTP/1.1","status":"200"}', {
    timeMs: 1763769600250
  }],
  ['{"ts":1763769600.25,"request":{"remote_ip":"10.0.0.5","method":"GET","uri":"/x","headers":{"X-Forwarded-For":' +
    '["198.51.100.7"]}},"status":200,"duration":2}', { timeMs: 1763769598250, forwarded: '198.51.100.7' }],
  ['{"time":"2026-11-22T00:00:09Z","StartUTC":"2026-11-22T00:00:00Z","Duration":9000000000,"ClientHost":"192.0.2.9",' +
    '"RequestMethod":"GET","RequestPath":"/z","DownstreamStatus":200}', { timeMs: at('2026-11-22T00:00:00Z') }]
]

const parse = (line: string): Line => line.startsWith('{') ? parseJson(line) : parseText(line)

t.test('what compose, Docker, Kubernetes, journald and syslog put around a line is taken off', async (t) => {
  const lines = [
    '192.0.2.1 - - [22/Nov/2026:00:04:54 +0000] "GET / HTTP/1.1" 200 2', '{"time":"2026-11-22T00:15:00Z","msg":"x"}',
    '127.0.0.1:44676 [22/Nov/2026:00:04:54.693] a b/c 0/0/0/0/0 200 124 - - ---- 1/1/0/0/0 0/0 "GET /b HTTP/1.1"'
  ]
  const wrappers: Record<string, (line: string) => string> = {
    compose: line => `api-1  | ${line}`,
    'compose with colours': line => `\u001b[36mapi-1  | \u001b[0m${line}`,
    'json-file': line => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-22T00:15:00.123456789Z' }),
    'docker logs --timestamps': line => `2026-11-22T00:15:00.123456789Z ${line}`,
    CRI: line => `2026-11-22T00:15:00.123456789+05:30 stdout F ${line}`,
    journalctl: line => `Nov 22 00:15:00 erp-1 gatehouse[7]: ${line}`,
    'journalctl -o short-iso': line => `2026-11-22T00:15:00+0530 erp-1 nginx: ${line}`,
    'journalctl -o json': line => JSON.stringify({ __REALTIME_TIMESTAMP: '1', MESSAGE: line, _PID: '7' }),
    'RFC 3164': line => `<134>Nov  2 00:15:00 lb1 haproxy[71]: ${line}`,
    'RFC 5424': line => `<134>1 2026-11-22T00:15:00.5Z lb1 haproxy 71 - [a@1 b="c\\]d"] ${line}`,
    'compose in the journal': line => `Nov 22 00:15:00 erp-1 compose[7]: api-1  | ${line}`
  }
  for (const [name, wrap] of Object.entries(wrappers)) {
    for (const line of lines) t.equal(unwrapLine(wrap(line)), line, name)
  }
  for (const line of lines) t.equal(unwrapLine(line), line, 'no wrapper')
})

t.test('lines of nginx, Apache, HAProxy, gatehouse, Caddy and Traefik are read', async (t) => {
  for (const [line, expected] of golden) t.match(parse(line), { count: 1, ...expected }, line.slice(0, 60))
})

t.test('what took no token is skipped: answers of the proxy itself, preflights, other lines', async (t) => {
  const lines = [
    '192.0.2.1 - - [22/Nov/2026:00:04:54 +0000] "\\x16\\x03\\x01" 400 157 "-" "-"',
    '192.0.2.1 - - [22/Nov/2026:00:04:54 +0000] "" 408 0 "-" "-"',
    '127.0.0.1:44668 [22/Nov/2026:00:04:54.680] public public/<NOSRV> 0/-1/-1/-1/0 308 91 - - LR-- 1/1/0/0/0 0/0 ' +
      '{curl} "GET /redirect HTTP/1.1"',
    '127.0.0.1:44668 [22/Nov/2026:00:04:54.680] public public/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 1/1/0/0/0 0/0 ' +
      '"<BADREQ>"',
    '{"level":30,"time":"2026-11-22T00:15:00Z","msg":"listening on http://127.0.0.1:3000"}',
    '{"level":30,"time":"2026-11-22T00:15:00Z","reqId":"x","method":null,"route":null,"status":400,"msg":"request"}',
    '{"time":"2026-11-22T00:15:00Z","client":"192.0.2.1","code":"PREFLIGHT","count":3,"sinceMs":9,' +
      '"msg":"repeated requests"}',
    // Each of these requests has a line of its own.
    '{"time":"2026-11-22T00:15:00Z","client":"192.0.2.1","policy":"login","code":"shadow_refused","count":3,' +
      '"sinceMs":9,"msg":"repeated requests"}',
    // A preflight; what the service refuses by OPTIONS has taken a token.
    '127.0.0.1 - - [22/Nov/2026:00:04:54 +0000] "OPTIONS /api/student/1 HTTP/2.0" 204 0 "-" "a"',
    '{"ts":1763769600.25,"request":{"client_ip":"192.0.2.9","method":"OPTIONS","uri":"/x"},"status":204}',
    // CORS refuses before the limiter.
    '{"time":"2026-11-22T00:15:00Z","reqId":"x","method":"POST","route":"/api/auth/login","status":403,' +
      '"client":"192.0.2.1","code":"FORBIDDEN","origin":"https://old.example","msg":"request"}',
    // The request itself has a line of the logger `http.log.access`.
    '{"ts":1763769600.25,"logger":"http.log.error","request":{"client_ip":"192.0.2.9","method":"GET","uri":"/x"},' +
      '"status":502,"msg":"dial tcp 192.0.2.7:3000: connect: connection refused"}'
  ]
  for (const line of lines) t.equal(parse(line), 'no request', line)
  t.match(parse('127.0.0.1 - - [22/Nov/2026:00:04:54 +0000] "OPTIONS / HTTP/1.1" 404 0'), { method: 'OPTIONS' })
})

t.test('a line whose first words do not say the client is unreadable', async (t) => {
  for (const words of [
    '203.0.113.7, 10.0.0.5 - -', 'unknown, 10.0.0.5 - -', '203.0.113.7, 10.0.0.5, 10.0.0.6 - -',
    '192.0.2.1 10.0.0.5 - -'
  ]) {
    t.equal(parse(`${words} [22/Nov/2026:00:04:54 +0000] "GET / HTTP/1.1" 200 2 "-" "a"`), undefined, words)
  }
})

t.test('hostile lines are unreadable, in a time that grows with their length alone', async (t) => {
  const long = 'a'.repeat(200_000)
  const summary = '{"time":"2026-11-22T00:15:00Z","policy":"login","code":"TOO_MANY_REQUESTS","sinceMs":9,' +
    '"msg":"repeated requests","count":'
  const lines = [
    '', '\0\0\0', long, ` [${long}`, ' ['.repeat(100_000), `${long}:1 [${long}`, '{', '{}', '{"time":', 'null', '[]',
    `{"time":"${long}"}`, '{"__proto__":{"time":"2026-11-22T00:15:00Z"}}',
    '192.0.2.1 - - [22/Nov/9999:00:04:54 +0000] "GET / HTTP/1.1" 200 1', '{"time":"9999-01-01T00:00:00Z"}',
    '192.0.2.1 - - [31/Foo/2026:00:04:54 +0000] "GET / HTTP/1.1" 200 1',
    `192.0.2.1 - - [22/Nov/2026:00:04:54 +0000] "${long}`,
    `192.0.2.1 - - [22/Nov/2026:00:04:54 +0000] "${'\\'.repeat(199_999)}`,
    ' [22/Nov/2026:00:04:54 +0000] "'.repeat(6000), ' [22/Nov/2026:00:04:54.680] a b/c 0/0 200'.repeat(5000),
    `1:1 [22/Nov/2026:00:04:54.680] ${'{ '.repeat(100_000)}`,
    `1:1 [22/Nov/2026:00:04:54.680] a b ${'0/'.repeat(100_000)}`,
    'erp.example - - [22/Nov/2026:00:04:54 +0000] "GET / HTTP/1.1" 200 2',
    `${summary}1e99}`, `${summary}-1}`, `${summary}"7"}`, `${summary}1.5}`
  ]
  const before = process.cpuUsage()
  for (const line of lines) t.equal(parse(unwrapLine(line)), undefined, line.slice(0, 60))
  const data = '[\\]'.repeat(50_000)
  for (const line of [`<1>1 ${'\u0000 '.repeat(50_000)}`, `<1>1 2026-11-22T00:15:00Z a b c d ${data}`]) {
    t.equal(parse(unwrapLine(line)), undefined)
  }
  // A busy machine may take longer, and still no more of its processor's time.
  t.ok(process.cpuUsage(before).user < 3_000_000)
})

t.test('late lines of a log, and the lines of several logs, come in the order of time', async (t) => {
  const inTurns = async (...logs: number[][]): Promise<{ times: number[], jumps: number }> => {
    let jumps = 0
    const times: number[] = []
    async function * batches (seconds: number[]): AsyncGenerator<TimedRequest[]> {
      for (const second of seconds) yield [{ timeMs: second * 1000 } as TimedRequest]
    }
    for await (const requests of mergeByTime(logs.map(batches), () => { jumps++ })) {
      times.push(...requests.map(({ timeMs }) => timeMs / 1000))
    }
    return { times, jumps }
  }
  t.same(await inTurns([100, 130, 101, 131, 115, 200]), { times: [100, 101, 115, 130, 131, 200], jumps: 0 })
  t.same(await inTurns([300, 301, 500], [100, 302, 400]), { times: [100, 300, 301, 302, 400, 500], jumps: 0 })
  t.same(await inTurns([100, 200, 100, 90, 201]), { times: [100, 170, 170, 200, 201], jumps: 0 }, 'long requests')
  const closed = Array.from({ length: 15 }, (_, i) => i % 2 * 100)
  t.same(await inTurns([500, ...closed]), { times: [...closed.map(() => 470), 500], jumps: 0 }, 'many at once')
  const another = Array.from({ length: 15 }, (_, i) => 100 + i)
  t.same(await inTurns([90, 500, ...another]), { times: [90, 500, ...another], jumps: 1 }, 'two logs in one')
  const many = Array.from({ length: 120_000 }, (_, i) => 1000 + i % 7)
  const { times, jumps } = await inTurns(many)
  t.equal(times.length, many.length, 'more than are held back')
  t.ok(times.every((time, i) => i === 0 || time >= times[i - 1]!))
  t.equal(jumps, 0)
})

t.end()

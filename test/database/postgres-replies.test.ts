// Nonsense, long or misplaced answers of PostgreSQL are outages: they end no process, forge no login and hold up
// nothing.

import type { Socket } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { openDatabase } from '#src/database/database.js'
import { applyMigrations } from '#src/database/migrations.js'
import { checkReplies, postgresReplies } from '#src/database/postgres-replies.js'
import { startApp } from '../fixtures/app.js'
import { startPostgres } from '../fixtures/postgres.js'
import { generator } from '../fixtures/random.js'
import { message, spoilMessages, startUnrulyPostgres, type MessageDistortion } from '../fixtures/unruly-postgres.js'
import { until } from '../fixtures/until.js'

/** A login has two seconds. A busy machine may take longer, but not as long as a hang would. */
const PATIENCE_MS = 15_000

const server = await startPostgres(t)
const proxy = await startUnrulyPostgres(t, server.port)
const service = await startApp(t, {
  DATABASE_URL: `postgresql://gatehouse:gatehouse@127.0.0.1:${proxy.port}/postgres`, DATABASE_TIMEOUT_MS: '1000'
})
const { username, password } = await service.user()

const login = async () => {
  const { statusCode, json } = await service.login(service.client(), username, password)
  return { statusCode, message: statusCode === 200 ? '' : String(json().message) }
}

const first = (type: string, ...instead: Buffer[]): MessageDistortion => (one) => String.fromCharCode(one[0]!) === type
  ? instead
  : [one]
/** What a new connection gets instead of the authentication, after the old connections were lost. */
const start = (...instead: Buffer[]): MessageDistortion => (one) => one[0] === 'R'.charCodeAt(0)
  ? instead
  : [Buffer.alloc(50)]
const raw = (bytes: string): Buffer => Buffer.from(bytes, 'latin1')

/** An answer of each kind fails the query on it, and nothing else. */
const bad: Record<string, MessageDistortion> = {
  'no PostgreSQL at all': () => [raw('HTTP/1.1 400 Bad Request\r\n\r\n')],
  garbage: () => [Buffer.alloc(50, 0xff)],
  zeros: () => [Buffer.alloc(50)],
  'a message of no length': one => [raw('D\0\0\0\0'), one],
  'a message of negative length': one => [raw('D\xff\xff\xff\xf0'), one],
  'a message of two gigabytes': one => [raw('D\x7f\xff\xff\xff'), one],
  'a row of more cells than it has': first('D', message('D', '\x7f\xff\0\0\0\x01x')),
  'a row whose cell is longer than the row': first('D', message('D', '\0\x01\0\0\0\xffx')),
  'a row of fewer columns than were described': first('D', message('D', '\0\0')),
  'a row that was lost': first('D'),
  'a row that nothing had asked for': one => [message('D', '\0\x01\0\0\0\x01x'), one],
  'an error without an end': one => [raw('E\0\0\0\x08Sfoo'), one],
  'an error that is cut off': () => [message('E', 'SERROR\0C')],
  'an error that says nothing': () => [message('E', '\0')],
  'an error without a severity': () => [message('E', 'C42601\0Mwrong\0\0')],
  'an error without a code': () => [message('E', 'SERROR\0Mwrong\0\0')],
  'an error with half a code': () => [message('E', 'SERROR\0C42\0Mwrong\0\0')],
  'an error without a message': () => [message('E', 'SERROR\0C42601\0\0')],
  'an error of 70 kB': () => [message('E', `SERROR\0C42601\0M${'x'.repeat(70_000)}\0\0`)],
  'the second step of SASL first': start(message('R', '\0\0\0\x0br=nonce,s=c2FsdA==,i=4096')),
  'the last step of SASL first': start(message('R', '\0\0\0\x0cv=proof')),
  'the last step of SASL second': start(message('R', '\0\0\0\x0aSCRAM-SHA-256\0\0'), message('R', '\0\0\0\x0cv=proof')),
  'a description that is cut off': first('T', message('T', '\0\x05username\0')),
  'no description': first('T'),
  'an end that came too early': one => [message('Z', 'I'), one],
  'an end in no known state': first('Z', message('Z', 'X')),
  'a result that came twice': (one) => String.fromCharCode(one[0]!) === 'C' ? [one, one] : [one],
  'the answer to another request': first('2', message('1')),
  'a demand for the password': one => [message('R', '\0\0\0\x03'), one],
  'an unknown method of authentication': one => [message('R', '\0\0\0\x09'), one],
  'a demand for rows to copy': one => [message('G', '\0\0\0'), one]
}

for (const [what, distort] of Object.entries(bad)) {
  t.test(`after PostgreSQL answers with ${what}, a login gets 503, and then 200`, async (t) => {
    await until(async () => (await login()).statusCode === 200)
    proxy.distort = distort
    const startedMs = performance.now()
    const replies = await Promise.all(Array.from({ length: 12 }, login))
    t.ok(performance.now() - startedMs < PATIENCE_MS, `${Math.round(performance.now() - startedMs)} ms`)
    proxy.distort = undefined
    t.same([...new Set(replies.map(({ statusCode }) => statusCode))], [503])
    await until(async () => (await login()).statusCode === 200, 'a login succeeds', PATIENCE_MS)
  })
}

t.test('losing an idle connection does not end the process', async (t) => {
  const pool = new pg.Pool({ connectionString: server.url })
  pool.on('error', () => {})
  checkReplies(pool)
  t.after(() => pool.end())
  const client = await pool.connect() as pg.PoolClient & { connection: { stream: Socket } }
  const { stream } = client.connection
  stream.destroy(new Error('first'))
  await new Promise(resolve => stream.once('close', resolve))
  client.release(true)
  t.pass('the process goes on')
})

t.test('a notice, parameter or notification of PostgreSQL is accepted at any time', async (t) => {
  proxy.distort = one => one[0] === 'R'.charCodeAt(0)
    ? [one]
    : [
        message('N', 'SNOTICE\0C00000\0Mhello\0\0'), message('S', 'search_path\0public\0'),
        message('A', '\0\0\0\x01channel\0payload\0'), one
      ]
  await t.resolves(until(async () => (await login()).statusCode === 200))
  proxy.distort = undefined
})

t.test('the log says why a query failed, and contains nothing of the bad answer', async (t) => {
  await until(async () => (await login()).statusCode === 200)
  const from = service.logs.length
  proxy.distort = one => [message('D', '\0\x01\0\0\0\x06secret'), one]
  t.equal((await login()).statusCode, 503)
  proxy.distort = undefined
  const lines = JSON.stringify(service.logs.slice(from))
  t.match(lines, 'answers nonsense: a message answers nothing that was asked')
  t.notMatch(lines, 'secret')
})

const SEED = 20261122

t.test(`swapped, dropped, repeated, cut and retyped messages forge no login; seed ${SEED}`, async (t) => {
  const seen = new Map<number, number>()
  for (let round = 0; round < 20; round++) {
    const random = generator(SEED + round)
    proxy.distort = spoilMessages(random, 0.2 * random() * random())
    const startedMs = performance.now()
    for (const { statusCode } of await Promise.all(Array.from({ length: 8 }, login))) {
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
      if (statusCode !== 200 && statusCode !== 503) t.fail(`${statusCode} in round ${round}`)
    }
    if (performance.now() - startedMs > PATIENCE_MS) t.fail(`round ${round} took ${performance.now() - startedMs} ms`)
    proxy.distort = undefined
    await until(async () => (await login()).statusCode === 200, `after round ${round}`, PATIENCE_MS)
  }
  t.comment(`${proxy.distorted} messages distorted; statuses ${JSON.stringify([...seen])}`)
  t.ok(proxy.distorted > 100)
})

t.test('a migration that gets nonsense as answers fails, and its process goes on', async (t) => {
  const { prisma, adapter, close } = await openDatabase({
    databaseUrl: `postgresql://gatehouse:gatehouse@127.0.0.1:${proxy.port}/postgres`, dataDir: ''
  })
  t.after(close)
  await until(async () => await prisma.user.count() > 0)
  proxy.distort = one => [one.subarray(0, -1)]
  await t.rejects(applyMigrations(adapter))
  proxy.distort = undefined
})

const conversation = Buffer.concat([
  message('R', '\0\0\0\x0aSCRAM-SHA-256\0\0'), message('R', '\0\0\0\x0br=nonce'), message('R', '\0\0\0\x0cv=proof'),
  message('R', '\0\0\0\0'),
  message('S', 'TimeZone\0UTC\0'), message('K', '\0\0\0\x01\0\0\0\x02'), message('Z', 'I'),
  message('1'), message('2'), message('T', `\0\x01id\0${'\0'.repeat(18)}`), message('D', '\0\x01\0\0\0\x011'),
  message('D', '\0\x01\xff\xff\xff\xff'), message('C', 'SELECT 2\0'), message('Z', 'T'),
  message('2'), message('n'), message('C', 'UPDATE 5\0'), message('Z', 'T'),
  message('E', 'SERROR\0C23505\0Mduplicate\0\0'), message('Z', 'E'),
  message('C', 'BEGIN\0'), message('T', `\0\x01id\0${'\0'.repeat(18)}`),
  message('D', `\0\x01\0\x01\x11\x70${'x'.repeat(70_000)}`), message('C', 'SELECT 1\0'), message('I'),
  message('Z', 'I'),
  message('E', 'SFATAL\0C57P01\0Mterminating\0\0')
])

function requests (): ReturnType<typeof postgresReplies> {
  const replies = postgresReplies()
  const extended = ['bind', 'describe', 'execute', 'sync'] as const
  for (const request of ['parse', ...extended, ...extended, 'parse', ...extended, 'query'] as const) {
    replies.sent(request)
  }
  return replies
}

t.test('a conversation passes unchanged, however it is cut into chunks', async (t) => {
  for (let seed = 0; seed < 60; seed++) {
    const random = generator(seed)
    const { received } = requests()
    const most = [1, 3, 50, 100_000][seed % 4]!
    const passed = []
    for (let at = 0; at < conversation.length;) {
      const end = at + 1 + Math.floor(random() * most)
      passed.push(received(conversation.subarray(at, end)))
      at = end
    }
    t.ok(Buffer.concat(passed).equals(conversation), `seed ${seed}`)
  }
})

t.test('an authentication passes only in its order, and nothing passes before it ends', (t) => {
  const steps = (...numbers: number[]): Buffer => Buffer.concat(numbers.map(step => message(
    'R', `\0\0\0${String.fromCharCode(step)}${{ 5: 'salt', 10: 'SCRAM-SHA-256\0\0', 11: 'r=', 12: 'v=' }[step] ?? ''}`
  )))
  for (const good of [[0], [3, 0], [5, 0], [10, 11, 12, 0], [7]]) {
    t.equal(postgresReplies().received(steps(...good)).length, steps(...good).length, String(good))
  }
  for (const bad of [
    [11], [12], [10, 0], [10, 12], [10, 10], [10, 11, 0], [10, 11, 11], [3, 5], [3, 3], [5, 11], [0, 0], [0, 10]
  ]) {
    t.throws(() => postgresReplies().received(steps(...bad)), {
      message: 'a step of the authentication is out of order'
    }, String(bad))
  }
  for (const early of [message('K', '\0\0\0\x01\0\0\0\x02'), message('Z', 'I')]) {
    t.throws(() => postgresReplies().received(early), { message: 'a session starts without authentication' })
    t.throws(() => postgresReplies().received(Buffer.concat([steps(10), early])), {
      message: 'a session starts without authentication'
    })
  }
  t.end()
})

t.test('an error, notice, parameter or notification that is too long is refused at its head', (t) => {
  for (const type of 'ENSA') {
    t.equal(postgresReplies().received(raw(`${type}\0\x01\0\0`)).length, 0, `64 kB of ${type}`)
    t.throws(
      () => postgresReplies().received(raw(`${type}\0\x01\0\x01`)),
      { message: 'a message has an impossible length' },
      type
    )
  }
  t.end()
})

t.test('an answer of a million small rows, or of 64 MB, is refused as too large', async (t) => {
  const [row, large] = [message('D', '\0\x01\0\0\0\x01x'), message('D', `\0\x01\0\x0f\x42\x40${'x'.repeat(1_000_000)}`)]
  for (const [one, count] of [[Buffer.concat(Array(1000).fill(row)), 1000], [large, 64]] as const) {
    const { sent, received } = postgresReplies()
    received(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]))
    sent('query')
    received(message('T', `\0\x01id\0${'\0'.repeat(18)}`))
    for (let i = 0; i < count - 1; i++) received(one)
    t.throws(() => { for (let i = 0; i < 5; i++) received(one) }, { message: 'an answer is too large' })
  }
})

t.end()

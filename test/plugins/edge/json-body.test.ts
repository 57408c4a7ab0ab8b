// A body is a JSON object in UTF-8 of at most 16 KiB with known keys of the right type, or the request is refused.

import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'

const { app, client, login, user } = await startApp(t)

/** A login whose body goes out as it is written here. */
const send = (payload: string | Buffer | Readable | undefined, contentType: string | undefined = 'application/json') =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: client(),
    ...payload !== undefined && { payload },
    headers: contentType === '' ? {} : { 'content-type': contentType }
  })

const refusal = (status: number, message: string | RegExp = /\.$/) => ({
  timestamp: String, status, error: String, message, path: '/api/auth/login'
})

// S26
t.test('a body that is not a JSON object gets 400 in the common shape', async (t) => {
  const bodies: Array<[payload: string | undefined, message: string]> = [
    ['{', 'The body is not valid JSON.'],
    ['{"username":"a","password":"b"}}', 'The body is not valid JSON.'],
    ["{'username':'a'}", 'The body is not valid JSON.'],
    ['{"username":"a",}', 'The body is not valid JSON.'],
    ['NaN', 'The body is not valid JSON.'],
    [' ', 'The body is not valid JSON.'],
    ['', 'The body is empty.'],
    [undefined, 'The body is empty.'],
    ['[]', 'The body is not valid.'],
    ['[{"username":"a","password":"b"}]', 'The body is not valid.'],
    ['"x"', 'The body is not valid.'],
    ['1', 'The body is not valid.'],
    ['null', 'The body is not valid.']
  ]
  for (const [payload, message] of bodies) {
    const reply = await send(payload)
    t.equal(reply.statusCode, 400)
    t.match(reply.json(), refusal(400, message), String(payload))
  }
  const nothing = await send(undefined, '')
  t.match(nothing.json(), refusal(400, 'The body is not valid.'), 'no body of no type')
})

// S27
t.test('a body of any other type than JSON gets 415', async (t) => {
  const json = '{"username":"a","password":"b"}'
  const types = [
    'text/plain', 'text/plain; charset=utf-8', 'text/plain;application/json', 'text/json',
    'application/x-www-form-urlencoded', 'application/xml', 'text/xml',
    'multipart/form-data; boundary=x', 'application/jsonx', 'application/json5', 'application/vnd.api+json',
    'application/json, text/plain',
    'application', 'json', '*/*', ''
  ]
  for (const type of types) {
    const reply = await send(json, type)
    t.equal(reply.statusCode, 415)
    t.match(reply.json(), refusal(415), `"${type}"`)
  }
})

t.test('a compressed body gets 415, and so does JSON that only says so', async (t) => {
  const json = '{"username":"a","password":"b"}'
  for (const [payload, coding, status] of [
    [gzipSync(json), 'gzip', 415], [json, 'gzip', 415], [json, 'br, identity', 415], [json, 'Identity', 401]
  ] as const) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: client(),
      payload,
      headers: { 'content-type': 'application/json', 'content-encoding': coding }
    })
    t.equal(reply.statusCode, status, coding)
  }
})

// S28
t.test('JSON in any other encoding than UTF-8 gets 415, and invalid UTF-8 gets 400', async (t) => {
  const json = '{"username":"a","password":"b"}'
  for (const parameter of [
    '; charset=utf-16', ';charset=UTF-16LE', '; charset="utf-16"', '; charset=latin1', '; charset = utf-16',
    '; charset=utf-7', '; charset='
  ]) {
    t.match((await send(json, `application/json${parameter}`)).json(), refusal(415), parameter)
  }
  for (const parameter of ['', '; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"']) {
    t.equal((await send(json, `application/json${parameter}`)).statusCode, 401, parameter)
  }
  for (const bytes of [[0xff], [0xc0, 0xae], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    const reply = await send(Buffer.concat([
      Buffer.from('{"username":"'), Buffer.from(bytes), Buffer.from('","password":"b"}')
    ]))
    t.match(reply.json(), refusal(400, 'The body is not valid UTF-8.'), Buffer.from(bytes).toString('hex'))
  }
  t.match((await send(Buffer.from(json, 'utf16le'))).json(), refusal(400), 'UTF-16 that does not say so')
})

// S29
t.test('16 KiB are accepted and one byte more gets 413, with and without a length', async (t) => {
  const json = '{"username":"a","password":"b"}'
  const most = json.padEnd(16 * 1024)
  t.equal((await send(most)).statusCode, 401)
  t.equal((await send(Readable.from([most]))).statusCode, 401)
  for (const payload of [`${most} `, Readable.from([most, ' '])]) {
    const reply = await send(payload)
    t.equal(reply.statusCode, 413)
    t.match(reply.json(), refusal(413))
  }
})

// S29
t.test('the connection is closed after a 413', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
  const head = 'POST /api/auth/login HTTP/1.1\r\nHost: gatehouse\r\nContent-Type: application/json\r\n'
  for (const request of [
    `${head}Content-Length: 1000000\r\n\r\n`, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`
  ]) {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const answer: string[] = []
    socket.on('data', text => answer.push(String(text))).on('error', () => {})
    socket.write(request)
    await once(socket, 'close')
    t.match(answer.join(''), /^HTTP\/1\.1 413 .*^connection: close\r$.*"status":413/msi)
  }
})

// S31
t.test('a body that reaches for a prototype gets 400 before validation, and changes none', async (t) => {
  const bodies = [
    '{"__proto__":{"polluted":1},"username":"a","password":"b"}',
    '{"\\u005f_proto__":{"polluted":1},"username":"a","password":"b"}',
    '{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1},"username":"a","password":"b"}',
    '{"constructor":{"prototype":{"polluted":1}},"username":"a","password":"b"}',
    '{"c\\u006fnstructor":{"prototype":{"polluted":1}},"username":"a","password":"b"}',
    '{"username":{"__proto__":{"polluted":1}},"password":"b"}',
    '{"__proto__":null,"username":"a","password":"b"}'
  ]
  for (const body of bodies) t.match((await send(body)).json(), refusal(400, 'The body is not valid JSON.'), body)
  t.notOk('polluted' in {})
})

// S32
t.test('if a key is repeated the last value counts, for the validator and for the login', async (t) => {
  const { username, password } = await user()
  const body = (first: string, second: string) => `{"username":${first},"username":${second},"password":"${password}"}`
  t.equal((await send(body('"nobody"', `"${username}"`))).statusCode, 200)
  t.equal((await send(body(`"${username}"`, '"nobody"'))).statusCode, 401)
  t.equal((await send(body('1', `"${username}"`))).statusCode, 200)
  t.equal((await send(body(`"${username}"`, '1'))).statusCode, 400)
})

/** Of the processor, and the median of several tries, so that no pause of the machine decides anything. */
async function medianMs (payload: string): Promise<number> {
  const times = []
  for (let i = 0; i < 11; i++) {
    const before = process.cpuUsage()
    const { statusCode } = await send(payload)
    const { user, system } = process.cpuUsage(before)
    times.push(statusCode === 400 ? (user + system) / 1000 : Infinity)
  }
  return times.sort((a, b) => a - b)[5]!
}

// S34
t.test('a body as deeply nested as 16 KiB allow gets 400 at once', async (t) => {
  for (const body of [
    '['.repeat(8192) + ']'.repeat(8192), '['.repeat(16_384), `${'{"a":'.repeat(2700)}1${'}'.repeat(2700)}`,
    `{"username":${'['.repeat(8000)}${']'.repeat(8000)},"password":"b"}`
  ]) {
    t.ok(await medianMs(body) < 50, body.slice(0, 20))
  }
})

// S35 S36
t.test('line separators, byte order marks, lone surrogates and NUL do no harm', async (t) => {
  const { username, password } = await user({ username: 'line\u2028separator\u2029s' })
  const reply = await login(client(), username, password)
  t.equal(reply.statusCode, 200)
  t.equal(reply.json().data.userName, username)
  t.equal(
    (await send(`\ufeff${JSON.stringify({ username, password })}`)).statusCode, 200, 'a byte order mark before the body'
  )
  for (const half of ['\\u0000', '\\ud800', '\\udfff', '\\udc00\\ud800', '\\ud83d\\ud83d\\ude00']) {
    t.match((await send(`{"username":"a${half}","password":"b"}`)).json(), {
      status: 400,
      details: [
        { field: 'username' }
      ]
    }, half)
    t.match((await send(`{"username":"a","password":"b${half}"}`)).json(), {
      status: 400,
      details: [
        { field: 'password' }
      ]
    }, half)
    const key = await send(`{"username":"a","password":"b","${half}":1}`)
    t.match(key.json(), { status: 400, details: [{ message: 'is not known here' }] }, `a key of ${half}`)
  }
  t.equal((await send('{"username":"\\ud83d\\ude00","password":"b"}')).statusCode, 401, 'a whole pair is a character')
})

t.test('a fault says what is valid, and at most ten faults are listed', async (t) => {
  const faults = async (payload: object) => (await app.inject({
    method: 'POST', url: '/api/auth/login', remoteAddress: client(), payload
  })).json().details
  t.same(await faults({ username: '', password: 'a\u0000b' }), [
    { field: 'username', message: 'must not be empty' },
    { field: 'password', message: 'has characters that are not allowed here' }
  ])
  t.same(await faults({ username: 'x'.repeat(256) }), [
    { field: 'password', message: 'is required' }, { field: 'username', message: 'must have at most 255 characters' }
  ])
  t.equal((await faults(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, 1])))).length, 10)
})

t.end()

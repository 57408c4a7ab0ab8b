// Only an unaltered, unexpired token of this service admits its owner; every other one gets the same 401.

import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { AUDIENCE, ISSUER, TOKEN_TTL_SECONDS, type Claims } from '#src/auth/tokens.js'
import { startListening } from '../../fixtures/app.js'
import { exchange } from '../../fixtures/socket.js'
import { claimsOf, encode, hmac, kidOfSecret, markOf } from '../../fixtures/tokens.js'
import { listen } from '../../fixtures/upstream.js'

const [current, former, strange] = [
  'Uw7-current-secret-of-tests-aa91x0', 'Qz3-former-secret-of-tests-bb82y01', 'Xk5-secret-of-somebody-else-cc73z0'
]
const { app, client, login, logs, user } = await startListening(t, { JWT_SECRET: `${current},${former}` })

const owner = await user()
const db = await markOf(app.db)
const url = '/api/auth/me'

interface Parts { header?: object, claims?: unknown, secret?: string, hash?: string }

/** A token like ours, except for the given parts. */
const mint = ({ header, claims = claimsWith(), secret = current, hash = 'sha256' }: Parts = {}): string =>
  hmac(secret, { alg: 'HS256', typ: 'JWT', kid: kidOfSecret(secret), ...header }, claims, hash)

const claimsWith = (changes: object = {}): object => claimsOf({ sub: String(owner.id), db, ...changes })

const get = (token: string) => app.inject({
  url, remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
})

async function isAdmitted (t: Test, token: string, what = ''): Promise<void> {
  const reply = await get(token)
  t.equal(reply.statusCode, 200, `${what} ${reply.body}`)
}

/** Every fault gets the same 401, whose body does not say which fault it was. */
async function isRefused (t: Test, options: string | InjectOptions, what: string): Promise<void> {
  const reply = typeof options === 'string'
    ? await get(options)
    : await app.inject({
      url, remoteAddress: client(), ...options
    })
  t.equal(reply.statusCode, 401, what)
  t.equal(reply.headers['www-authenticate'], 'Bearer')
  t.strictSame({ ...reply.json(), timestamp: '' }, {
    timestamp: '', status: 401, error: 'Unauthorized', message: 'A valid token is required. Please log in.', path: url
  })
}

t.test('a login\'s token is HS256, lasts an hour, has every claim and admits its owner', async (t) => {
  const { token } = (await login(client(), owner.username, owner.password)).json().data
  const [header, claims] = token.split('.').slice(0, 2).map((part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()))
  t.strictSame(header, { alg: 'HS256', typ: 'JWT', kid: kidOfSecret(current) })
  const { iat, exp, jti, sid, auth_time: loggedInAt, ...rest } = claims as Claims
  t.strictSame(rest, {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: String(owner.id),
    name: owner.username,
    role: 'USER',
    userType: 'STUDENT',
    tv: 0,
    db
  })
  t.equal(exp - iat, 3600)
  t.match(sid, /^[\da-f-]{36}$/)
  t.ok(Math.abs(loggedInAt! - iat) <= 1)
  t.ok(Math.abs(iat - Date.now() / 1000) < 60)
  t.match(jti, /^[\da-f-]{36}$/)
  await isAdmitted(t, token)
})

t.test('a valid token is admitted, also from the former secret; one with another secret is not', async (t) => {
  await isAdmitted(t, mint(), 'current')
  await isAdmitted(t, mint({ secret: former }), 'former')
  await isRefused(t, mint({ secret: strange }), 'strange')
  await isRefused(t, mint({ secret: strange, header: { kid: kidOfSecret(current) } }), 'strange under our kid')
})

// S59
t.test('a token with alg none in any spelling, or without a signature, gets 401', async (t) => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, 0, undefined]) {
    const token = mint({ header: { alg } })
    await isRefused(t, token, `${alg} signed`)
    await isRefused(t, token.slice(0, token.lastIndexOf('.') + 1), `${alg} unsigned`)
  }
  await isRefused(t, mint().replace(/[^.]*$/, ''), 'HS256 unsigned')
  await isRefused(t, mint().replace(/\.[^.]*$/, ''), 'no third segment')
})

// S60
t.test('another HMAC algorithm with the same secret gets 401', async (t) => {
  for (const [alg, hash] of [
    ['HS384', 'sha384'], ['HS512', 'sha512'], ['HS256', 'sha512'], ['HS512', 'sha256'], ['hs256', 'sha256']
  ]) {
    await isRefused(t, mint({ header: { alg }, hash: hash! }), `${alg} ${hash}`)
  }
})

// S62
t.test('a kid other than that of the signing secret gets 401', async (t) => {
  const kids = [
    '../../dev/null', '/dev/null', "' OR 1=1 --", '__proto__', 'constructor', 'toString', '', kidOfSecret(former),
    kidOfSecret(strange), kidOfSecret(current).toUpperCase(), ` ${kidOfSecret(current)}`,
    undefined, null, 0, true, {}, [kidOfSecret(current)], { kid: kidOfSecret(current) }, 'x'.repeat(5000)
  ]
  for (const kid of kids) await isRefused(t, mint({ header: { kid } }), JSON.stringify(kid)?.slice(0, 40) ?? 'missing')
})

// S63
t.test('a key that the token names or contains is neither fetched nor used', async (t) => {
  let fetched = 0
  const there = `${await listen(t, () => { fetched++ })}/keys`
  const jwk = { kty: 'oct', k: Buffer.from(strange).toString('base64url'), alg: 'HS256' }
  for (const brought of [{ jku: there }, { x5u: there }, { jwk }, { x5c: [strange] }]) {
    await isRefused(t, mint({ secret: strange, header: brought }), JSON.stringify(brought))
    const named = { kid: kidOfSecret(current), ...brought }
    await isRefused(t, mint({ secret: strange, header: named }), JSON.stringify(named))
    await isAdmitted(t, mint({ header: brought }), 'ignored where our own secret signed')
  }
  t.equal(fetched, 0)
})

// S64
t.test('times that are past, future, missing, malformed or too far apart get 401, never 500', async (t) => {
  const now = Math.floor(Date.now() / 1000)
  const times = [
    { iat: now - 7200, exp: now - 3600 }, { exp: now - 31 }, { exp: undefined }, { exp: String(now + 60) },
    { exp: 1e300 }, { exp: now + TOKEN_TTL_SECONDS + 60 }, { nbf: now + 3600 }, { nbf: 'later' },
    { iat: undefined }, { iat: now + 3600, exp: now + 7200 }
  ]
  for (const changes of times) await isRefused(t, mint({ claims: claimsWith(changes) }), JSON.stringify(changes))
  await isAdmitted(t, mint({
    claims: claimsWith({ iat: now + 20, exp: now + 60 })
  }), 'clocks may differ by thirty seconds')
  await isAdmitted(t, mint({ claims: claimsWith({ exp: now - 20 }) }), 'either way')
})

// S65
t.test('a missing or wrong issuer or audience gets 401', async (t) => {
  for (const claim of ['iss', 'aud']) {
    const right = claim === 'iss' ? ISSUER : AUDIENCE
    for (const value of [undefined, 'other', `${right}x`, ['other', right]]) {
      await isRefused(t, mint({ claims: claimsWith({ [claim]: value }) }), `${claim} ${JSON.stringify(value)}`)
    }
  }
})

// S66
t.test('a token of another type or form gets 401', async (t) => {
  for (const header of [
    { crit: ['exp'] }, { crit: ['b64'], b64: false }, { crit: [] }, { typ: 'at+jwt' }, { typ: undefined }
  ]) {
    await isRefused(t, mint({ header }), JSON.stringify(header))
  }
  for (const claims of [[], [claimsWith()], 'text', '"text"', null, 7, true, '', '{', '{"sub":']) {
    await isRefused(t, mint({ claims }), `payload ${JSON.stringify(claims)}`)
  }
  const good = mint()
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const forms = [
    `${good}=`, `${header}=.${payload}.${signature}`, `${header}.${payload}=.${signature}`, `${good}.`,
    `${good}.${signature}`, `.${good}`, `${header}.${payload}.${payload}.${signature}`,
    `${header}.${payload}`, header, '.', '..', '...', `${header}..${signature}`, `.${payload}.${signature}`,
    `${good}%20`, `"${good}"`, `${good},${good}`, `${good}\u00e9`,
    `${encode('[]')}.${payload}.${signature}`, `${encode('null')}.${payload}.${signature}`,
    `${encode('{')}.${payload}.${signature}`, JSON.stringify({ protected: header, payload, signature })
  ]
  for (const form of forms) await isRefused(t, form, form.slice(0, 40))
})

// S67
t.test('a token with one character changed, wherever it is, gets 401', async (t) => {
  const good = mint()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let i = good.length - 1; i >= 0; i -= 3) {
    // This flips the lowest bit, so that the unused bits of a segment's last character are also tried.
    const other = good[i] === '.' ? '-' : alphabet[alphabet.indexOf(good[i]!) ^ 1]
    const { statusCode } = await get(good.slice(0, i) + other + good.slice(i + 1))
    t.equal(statusCode, 401, `character ${i} of ${good.length}`)
  }
  await isAdmitted(t, good)
})

// S68
t.test('a token outside the Authorization header gets 401', async (t) => {
  const token = mint()
  for (const name of ['token', 'access_token', 'jwt', 'authorization']) {
    await isRefused(t, { url: `${url}?${name}=${token}` }, `query ${name}`)
    await isRefused(t, { headers: { cookie: `${name}=${token}` } }, `cookie ${name}`)
    await isRefused(t, { headers: { cookie: `${name}=Bearer ${token}` } }, `cookie ${name} Bearer`)
    await isRefused(t, { payload: { [name]: token } }, `body ${name}`)
  }
  for (const name of ['x-access-token', 'x-auth-token', 'proxy-authorization', 'x-authorization']) {
    await isRefused(t, { headers: { [name]: `Bearer ${token}` } }, name)
  }
})

// S68
t.test('of two Authorization headers only the first counts', async (t) => {
  const twice = async (...tokens: string[]): Promise<number | undefined> => {
    const lines = tokens.map(token => `Authorization: Bearer ${token}\r\n`).join('')
    return (await exchange(app, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`))[0]?.status
  }
  t.equal(await twice('bad', mint()), 401)
  t.equal(await twice(mint(), 'bad'), 200)
})

// S69
t.test('an Authorization header of another form gets 401, and one over 16 KiB 431', async (t) => {
  const token = mint()
  const values = [
    'Bearer', 'Bearer ', `Bearer  ${token}`, `Bearer\t${token}`, `Bearer ${token} x`, `Bearer${token}`,
    `Bearer: ${token}`, `Token ${token}`, `Basic ${token}`, token, '',
    `Basic x, Bearer ${token}`, `Bearer ${'x'.repeat(10_000)}`, `Bearer ${'.'.repeat(10_000)}`,
    `Bearer ${mint({ claims: claimsWith({ jti: 'x'.repeat(100), iss: 'x'.repeat(9000) }) })}`
  ]
  for (const authorization of values) await isRefused(t, { headers: { authorization } }, authorization.slice(0, 30))
  await isRefused(t, {}, 'no header')
  const [answer] = await exchange(
    app, `GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'x'.repeat(17_000)}\r\n\r\n`
  )
  t.equal(answer?.status, 431)
  const reply = await app.inject({ url, remoteAddress: client(), headers: { authorization: `bEARER ${token}` } })
  t.equal(reply.statusCode, 200, 'but schemes know no case')
})

// S70
t.test('a forged role claim gets 401, and no token grants more than the database says', async (t) => {
  const [header, , signature] = mint().split('.')
  await isRefused(t, `${header}.${encode(claimsWith({ role: 'ADMIN' }))}.${signature}`, 'edited')
  await isRefused(t, mint({ secret: strange, claims: claimsWith({ role: 'ADMIN' }) }), 'signed by somebody else')
  const reply = await get(mint({ claims: claimsWith({ role: 'ADMIN', userType: 'STAFF' }) }))
  t.match(reply.json().data, { role: 'USER', userType: 'STUDENT', userId: owner.id })
})

t.test('the line of a 401 says why the token was refused', async (t) => {
  const gone = await user()
  await app.db.user.delete({ where: { id: gone.id } })
  for (const [token, cause] of [
    [mint({ secret: strange }), /names no key of ours/],
    [mint({ secret: strange, header: { kid: kidOfSecret(current) } }), /TOKEN_INVALID$/],
    [mint({ claims: claimsWith({ exp: 1 }) }), /TOKEN_EXPIRED$/],
    [mint({ header: { crit: ['x'.repeat(5000)] } }), /^[A-Z_]{1,60}$/],
    [mint({ claims: claimsWith({ sub: String(gone.id) }) }), /account is deleted/]
  ] as const) {
    await get(token)
    t.match(logs.findLast(({ msg }) => msg === 'request'), { status: 401, cause })
  }
})

// S73
t.test('none of the above was logged as an error, and no token or secret is in the log', async (t) => {
  t.strictSame(logs.filter(({ level, reqId }) => reqId !== undefined && Number(level) >= 40), [])
  const text = JSON.stringify(logs)
  t.notMatch(text, new RegExp(`eyJ[\\w-]+\\.|${current}|${former}`))
})

t.test('a token that was good a moment ago is refused when it has expired', async (t) => {
  const token = mint()
  await isAdmitted(t, token)
  await isAdmitted(t, token, 'again')
  const { now } = Date
  t.intercept(Date, 'now', { value: () => now() + (TOKEN_TTL_SECONDS + 31) * 1000 })
  await isRefused(t, token, 'expired')
})

t.end()

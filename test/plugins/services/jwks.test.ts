// A private key signs tokens that others verify with the published keys. Rotations lose no token, and no forged or
// altered token passes.

import { sign, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import { publicJwk, type PrivateKeyAlgorithm } from '#src/auth/private-keys.js'
import { AUDIENCE, ISSUER } from '#src/auth/tokens.js'
import { startListening, type TestApp } from '../../fixtures/app.js'
import { newKeyPair } from '../../fixtures/keys.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { claimsOf, encode, hmac, kidOfSecret, markOf } from '../../fixtures/tokens.js'

interface Pair { privateKey: KeyObject, publicKey: KeyObject }

const pairs = {
  EdDSA: newKeyPair('ed25519'),
  ES256: newKeyPair('ec', { namedCurve: 'P-256' }),
  RS256: newKeyPair('rsa', { modulusLength: 2048 })
}
// Its users outlive the apps, as those of a service outlive its keys.
const DATABASE_URL = await newDatabase()

const algorithms = Object.keys(pairs) as PrivateKeyAlgorithm[]
const secret = 'Uw7-current-secret-of-tests-aa91x0'

const pem = ({ privateKey }: Pair): string => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicPem = ({ publicKey }: Pair): string => publicKey.export({ type: 'spki', format: 'pem' }).toString()
const kidOf = ({ privateKey }: Pair): string => publicJwk(privateKey).kid

const url = '/api/auth/me'
const path = '/.well-known/jwks.json'

interface Service extends TestApp {
  origin: string
  owner: { id: number, username: string, password: string }
  /** A token of a real login of the owner. */
  token: () => Promise<string>
  /** The claims of a token that the owner would get now, except for the given ones. */
  claims: (changes?: object) => object
}

/** The app on a real port, and a user of its own if none is given. */
async function serve (t: Test, environment: NodeJS.ProcessEnv, known?: Service['owner']): Promise<Service> {
  const service = await startListening(t, { DATABASE_URL, ...environment })
  const owner = known ?? await service.user()
  const db = await markOf(service.app.db)
  return {
    ...service,
    owner,
    origin: service.url,
    async token () {
      return (await service.login(service.client(), owner.username, owner.password)).json().data.token
    },
    claims: (changes = {}) => claimsOf({ sub: String(owner.id), db, ...changes })
  }
}

/** A token with any header, signed as `alg` says with any key. */
function signed (alg: PrivateKeyAlgorithm, { privateKey }: Pair, header: object, claims: object): string {
  const input = `${encode(header)}.${encode(claims)}`
  const digest = alg === 'EdDSA' ? null : 'sha256'
  const signature = sign(digest, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

const get = ({ app, client }: Service, token: string) => app.inject({
  url, remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
})

async function isAdmitted (t: Test, service: Service, token: string, what: string): Promise<void> {
  const reply = await get(service, token)
  t.equal(reply.statusCode, 200, `${what} ${reply.body}`)
}

/** Every fault gets the same 401, whose body does not say which fault it was. */
async function isRefused (t: Test, service: Service, token: string, what: string): Promise<void> {
  const reply = await get(service, token)
  t.equal(reply.statusCode, 401, what)
  t.equal(reply.headers['www-authenticate'], 'Bearer')
  t.strictSame({ ...reply.json(), timestamp: '' }, {
    timestamp: '', status: 401, error: 'Unauthorized', message: 'A valid token is required. Please log in.', path: url
  })
}

/** Verifies a token like another service of the ERP that only knows our address. */
async function isVerifiedOutside (
  t: Test, { origin }: Service, token: string, algorithm: PrivateKeyAlgorithm
): Promise<void> {
  const keys = createRemoteJWKSet(new URL(path, origin))
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: ISSUER, audience: AUDIENCE, algorithms: [algorithm], typ: 'JWT', requiredClaims: ['exp', 'sub']
  })
  t.equal(protectedHeader.alg, algorithm)
  t.match(payload, { iss: ISSUER, aud: AUDIENCE, role: 'USER', userType: 'STUDENT', tv: 0 })
}

/** Everything that came back for the JWKS over a real connection. */
async function published ({ origin }: Service): Promise<{
  status: number
  headers: Headers
  text: string
  keys: Array<Record<string, unknown>>
}> {
  const reply = await fetch(new URL(path, origin))
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, text, keys: JSON.parse(text).keys }
}

for (const algorithm of algorithms) {
  const pair = pairs[algorithm]
  const kid = kidOf(pair)
  const header = { alg: algorithm, typ: 'JWT', kid }

  t.test(`${algorithm}: a key pair signs, and verifiers need no secret`, async (t) => {
    const service = await serve(t, { JWT_PRIVATE_KEY: pem(pair).replaceAll('\n', '\\n') })
    const token = await service.token()
    const claims = service.claims()

    t.test('jose verifies a login\'s token with only the published keys', async (t) => {
      t.strictSame(decodeProtectedHeader(token), header)
      await isAdmitted(t, service, token, 'login')
      await isVerifiedOutside(t, service, token, algorithm)
    })

    t.test('the document has only the public key, and no private part', async (t) => {
      const { headers, text, keys } = await published(service)
      t.match(Object.fromEntries(headers), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff'
      })
      t.strictSame(Object.keys(JSON.parse(text)), ['keys'])
      t.strictSame(keys, [{ ...pair.publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' }])
      t.equal(kid, await calculateJwkThumbprint(keys[0]!), 'as RFC 7638 says')
    })

    t.test('a token of another key, or under another name of ours, gets 401', async (t) => {
      const foreign = sameKind(algorithm)
      const jwk = publicJwk(foreign.privateKey)
      for (const changes of [{ kid: jwk.kid }, {}, { jwk }]) {
        const what = `a key of the same kind, ${JSON.stringify(changes)}`
        await isRefused(t, service, signed(algorithm, foreign, { ...header, ...changes }, claims), what)
      }
      for (const name of [undefined, null, '', [kid], `${kid}=`, kid.slice(0, -1), kid.toUpperCase(), '__proto__']) {
        const token = signed(algorithm, pair, { ...header, kid: name }, claims)
        await isRefused(t, service, token, `kid ${JSON.stringify(name)}`)
      }
    })

    // S73
    t.test('none of the above was logged as an error, and no key is in the log', async (t) => {
      t.strictSame(service.logs.filter(({ level, reqId }) => reqId !== undefined && Number(level) >= 40), [])
      const text = JSON.stringify(service.logs)
      for (const line of pem(pair).split('\n').slice(1, -2)) t.notOk(text.includes(line))
    })
  })
}

/** What an attacker may take for the secret of a service that publishes its key. */
function spellings (pair: Pair): Array<string | Buffer> {
  const spki = publicPem(pair)
  const der = pair.publicKey.export({ type: 'spki', format: 'der' })
  const jwk = publicJwk(pair.privateKey)
  return [
    spki, spki.trimEnd(), spki.replaceAll('\n', '\\n'), der, der.toString('base64'), JSON.stringify(jwk),
    JSON.stringify({ keys: [jwk] }), jwk.kid, '', Buffer.alloc(32)
  ]
}

function sameKind (algorithm: PrivateKeyAlgorithm): Pair {
  if (algorithm === 'EdDSA') return newKeyPair('ed25519')
  return algorithm === 'ES256' ? newKeyPair('ec', { namedCurve: 'P-256' }) : newKeyPair('rsa', { modulusLength: 2048 })
}

t.test('rotation: two private keys and a secret', async (t) => {
  const { EdDSA, ES256, RS256 } = pairs
  const service = await serve(t, { JWT_PRIVATE_KEY: `${pem(ES256)}${pem(EdDSA)}`, JWT_SECRET: secret })
  const [es, ed, hs] = [kidOf(ES256), kidOf(EdDSA), kidOfSecret(secret)]
  const token = await service.token()
  const claims = service.claims()

  t.test('the first private key signs, and all verify here; both private keys are published', async (t) => {
    t.strictSame(decodeProtectedHeader(token), { alg: 'ES256', typ: 'JWT', kid: es })
    const former = signed('EdDSA', EdDSA, { alg: 'EdDSA', typ: 'JWT', kid: ed }, claims)
    await isVerifiedOutside(t, service, former, 'EdDSA')
    await isAdmitted(t, service, former, 'EdDSA')
    await isAdmitted(t, service, hmac(secret, { alg: 'HS256', typ: 'JWT', kid: hs }, claims), 'HS256')
    const { keys } = await published(service)
    t.strictSame(keys, [publicJwk(ES256.privateKey), publicJwk(EdDSA.privateKey)])
  })

  t.test('a key verifies only its own algorithm: all other combinations get 401', async (t) => {
    const names = { [es]: 'ES256', [ed]: 'EdDSA', [hs]: 'HS256' }
    for (const [kid, own] of Object.entries(names)) {
      for (const alg of ['HS256', 'ES256', 'EdDSA', 'RS256', 'none'] as const) {
        const header = { alg, typ: 'JWT', kid }
        const tokens = {
          HS256: hmac(secret, header, claims),
          ES256: signed('ES256', ES256, header, claims),
          EdDSA: signed('EdDSA', EdDSA, header, claims),
          RS256: signed('RS256', RS256, header, claims),
          none: `${encode(header)}.${encode(claims)}.`
        }
        for (const [by, token] of Object.entries(tokens)) {
          if (by !== own || alg !== own) await isRefused(t, service, token, `kid of ${own}, ${alg}, by ${by}`)
        }
      }
    }
  })

  // S61
  t.test('algorithm confusion gets 401 if HS256 is in use, too', async (t) => {
    for (const spelling of spellings(ES256)) {
      for (const kid of [es, hs]) {
        const what = `kid ${kid} by ${JSON.stringify(spelling).slice(0, 60)}`
        await isRefused(t, service, hmac(spelling, { alg: 'HS256', typ: 'JWT', kid }, claims), what)
      }
    }
  })
})

/** It has no private key. */
const plain = await serve(t, { JWT_SECRET: secret, CORS_ORIGINS: 'https://erp.example' })

t.test('with a secret only there is nothing to publish', async (t) => {
  const { status, headers, text } = await published(plain)
  t.equal(status, 200)
  t.equal(text, '{"keys":[]}')
  t.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(headers.get('cache-control'), 'public, max-age=300')
})

t.test('the keys have a policy of their own: a refused address may still read them', async (t) => {
  const { app, client } = plain
  const remoteAddress = client()
  const ask = async (url: string, times: number): Promise<number[]> =>
    await Promise.all(Array.from({ length: times }, async () => (await app.inject({ url, remoteAddress })).statusCode))
  t.strictSame(await ask('/api/nothing', 101), [...Array(100).fill(404), 429])
  t.strictSame(await ask(path, 601), [...Array(600).fill(200), 429])
})

t.test('a page of any origin may read the keys, and nothing else', async (t) => {
  const { app, client } = plain
  const ask = (url: string, method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS', headers: Record<string, string>) =>
    app.inject({ method, url, headers, remoteAddress: client() })
  for (const origin of ['https://evil.example', 'https://erp.example', 'null']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await ask(path, method, { origin })
      t.equal(statusCode, 200, `${method} from ${origin}`)
      t.equal(headers['access-control-allow-origin'], '*')
      t.equal(headers['access-control-allow-credentials'], undefined)
    }
    const preflight = await ask(path, 'OPTIONS', {
      origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-anything'
    })
    t.match(preflight, {
      statusCode: 204, headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD' }
    })
    t.equal(preflight.headers['access-control-allow-credentials'], undefined)
    t.equal((await ask(path, 'POST', { origin })).statusCode, 405)
  }
  t.equal(
    (await ask(path, 'GET', {})).headers['access-control-allow-origin'], '*', 'the answer in a cache serves pages, too'
  )
  t.equal((await ask(path, 'OPTIONS', {
    'access-control-request-method': 'GET'
  })).statusCode, 405, 'an OPTIONS that is no preflight')
  t.equal((await ask('/api/auth/me', 'GET', { origin: 'https://evil.example' })).statusCode, 403)
})

t.test('a verifier that has the keys already gets 304 without a body', async (t) => {
  const { app, client } = plain
  const { headers: { etag } } = await app.inject({ url: path, remoteAddress: client() })
  const again = await app.inject({ url: path, remoteAddress: client(), headers: { 'if-none-match': String(etag) } })
  t.match(again, { statusCode: 304, body: '', headers: { etag, 'cache-control': 'public, max-age=300' } })
  t.equal((await app.inject({
    url: path, remoteAddress: client(), headers: { 'if-none-match': '"other"' }
  })).statusCode, 200)
})

t.end()

// Who signs in at an OpenID provider gets the token of a login, on any replica. Nobody else's answer, cookie, code or
// ticket does, and what the provider sends is not believed before it is checked.

import t from 'tap'
import { sessionIdOf } from '#src/auth/sessions.js'
import { revokeTokens } from '#src/auth/account-changes.js'
import type { Claims } from '#src/auth/tokens.js'
import { challengeOf, flowCookie, newFlow } from '#src/sign-in/flow.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { followToCallback } from '../fixtures/at-provider.js'
import { CLIENT, newKey, signed, signedByPublicKey, startBentProvider, unsigned } from '../fixtures/bent-provider.js'
import { startOpenIdProvider } from '../fixtures/openid-provider.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { Browser, LOGIN_PAGE, signInSettings, ticketIn } from '../fixtures/sign-in.js'
import { seriesOf } from '../fixtures/metrics.js'

const [provider, foreign] = [await startBentProvider(t), await startBentProvider(t)]
const domains = ['school.example']
const shared = {
  ...signInSettings(t, [{ issuer: provider.issuer, domains }, { issuer: foreign.issuer, domains }]),
  DATABASE_URL: await newDatabase(),
  JWT_SECRET: 'a secret of both replicas for their tokens'
}
const main = await startApp(t, shared)
const other = await startApp(t, {
  ...shared, SECOND_FACTOR_ROLES: 'USER', SECOND_FACTOR_KEY: 'a secret for the factors of this test'
})
const { app, logs } = main

t.beforeEach(async () => {
  provider.bend = {}
  provider.asked.length = 0
})

let people = 0

/** A pupil with an account, who is at the provider now. */
async function pupil () {
  const { id, username } = await main.user()
  const email = `pupil-${++people}@school.example`
  await app.db.user.update({ where: { id }, data: { email } })
  provider.person = { sub: `sub of ${username}`, email, email_verified: true, hd: 'school.example' }
  return { id, username, email }
}

/** @returns what the token of a sign-in says */
async function signIn (browser = new Browser(), replicas: readonly [TestApp, TestApp] = [main, main]): Promise<Claims> {
  const back = await browser.begin(replicas[0], provider)
  const answer = await browser.get(back, replicas[1])
  const { data } = (await browser.exchange(ticketIn(answer), main)).json()
  return app.jwt.decode<{ payload: Claims }>(data.token)!.payload
}

t.test('a sign-in answers as a login does, and any replica goes on with it', async (t) => {
  const { id, username } = await pupil()
  const browser = new Browser()
  const begun = await browser.get(`/api/auth/oidc/a?challenge=${challengeOf(browser.verifier)}`, main)
  t.equal(begun.statusCode, 303)
  t.match(begun.headers['set-cookie'],
    /^__Host-gatehouse-sign-in=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/)
  const asked = new URL(begun.headers.location as string).searchParams
  t.equal(asked.get('prompt'), 'select_account')
  t.equal(asked.get('redirect_uri'), 'http://127.0.0.1:3000/api/auth/oidc/a/callback')

  const { pathname, search } = await provider.visit(begun.headers.location as string)
  const answer = await browser.get(pathname + search, other)
  t.equal(answer.statusCode, 303)
  t.match(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  t.match(answer.headers.location, new RegExp(`^${LOGIN_PAGE}#ticket=[\\w-]{43}$`))
  t.equal(browser.cookie, undefined, 'the flow is over')

  const exchanged = await browser.exchange(ticketIn(answer), main)
  const login = await main.user().then(async one => await main.login(main.client(), one.username, one.password))
  t.same(Object.keys(exchanged.json().data), Object.keys(login.json().data))
  t.match(exchanged.json(), { success: true, status: 200, data: { userName: username, userId: id } })
  const { statusCode } = await other.app.inject({
    url: '/api/auth/me', headers: { authorization: `Bearer ${exchanged.json().data.token}` }
  })
  t.equal(statusCode, 200, 'a role that needs a second factor has that of the provider')
})

t.test('the session can be refreshed, listed and ended as that of a login', async (t) => {
  const { id } = await pupil()
  const claims = await signIn()
  t.same(claims.amr, ['fed'])
  t.same(await app.db.session.findMany({ where: { userId: id }, select: { id: true } }), [{ id: sessionIdOf(claims) }])
})

t.test('a callback without the cookie of its flow, late, forged or of another provider asks nobody', async (t) => {
  await pupil()
  const [browser, thief] = [new Browser(), new Browser()]
  const back = await browser.begin(main, provider)
  await thief.begin(main, provider)
  const { cookie } = browser
  const sealing = app.signIn.sealing
  const state = new URL(back, provider.issuer).searchParams.get('state')!
  const late = { ...newFlow('a', challengeOf(browser.verifier)), state, expiresAt: Math.floor(Date.now() / 1000) - 1 }
  provider.asked.length = 0
  const events = logs.filter(({ event }) => event).length
  const attempts: Array<[what: string, url: string, cookie: string | undefined]> = [
    ['another browser', back, thief.cookie],
    ['no cookie', back, undefined],
    ['an empty cookie', back, cookie!.replace(/=.*/, '=')],
    ['a forged cookie', back, cookie!.slice(0, -4) + 'AAAA'],
    ['a late cookie', back, flowCookie(sealing, late)],
    ['a cookie of another purpose', back, `__Host-gatehouse-sign-in=${sealing.seal(Buffer.from('{}'), 'b')}`],
    ['another state', back.replace(state, 'x'), cookie],
    ['no state', back.replace(/state=[^&]*/, ''), cookie],
    ['the callback of another provider', back.replace('/a/', '/b/'), cookie]
  ]
  for (const [what, url, sent] of attempts) {
    const { statusCode, headers } = await app.inject({
      url, remoteAddress: main.client(), ...sent !== undefined && { headers: { cookie: sent } }
    })
    t.equal(statusCode, 400, what)
    t.match(headers['content-type'], 'text/html', what)
  }
  t.same(provider.asked, [], 'nothing was asked')
  t.equal(logs.filter(({ event }) => event).length, events, 'nothing for the audit log')
})

t.test('a code works once, and only in its own flow', async (t) => {
  await pupil()
  const [browser, another] = [new Browser(), new Browser()]
  const back = await browser.begin(main, provider)
  const { cookie } = browser
  t.equal((await browser.get(back, main)).statusCode, 303)
  browser.cookie = cookie
  t.equal((await browser.get(back, other)).statusCode, 400, 'twice')

  const [one, two] = [await browser.begin(main, provider), await another.begin(main, provider)]
  const codeOf = (url: string): string => new URL(url, LOGIN_PAGE).searchParams.get('code')!
  t.equal((await browser.get(one.replace(codeOf(one), codeOf(two)), main)).statusCode, 400, 'of another flow')
})

const now = (): number => Math.floor(Date.now() / 1000)

/** Answers of a provider that are refused, however well they are signed. */
const lies: Array<[what: string, bend: typeof provider.bend]> = [
  ['no nonce', { claims: ({ nonce, ...claims }) => claims }],
  ['the nonce of another flow', { claims: claims => ({ ...claims, nonce: 'another' }) }],
  ['iss of another', { claims: claims => ({ ...claims, iss: foreign.issuer }) }],
  ['aud of another', { claims: claims => ({ ...claims, aud: 'another' }) }],
  ['azp of another', { claims: claims => ({ ...claims, azp: 'another' }) }],
  ['several aud, azp of another', { claims: claims => ({ ...claims, aud: ['gatehouse', 'b'], azp: 'b' }) }],
  ['several aud without azp', { claims: claims => ({ ...claims, aud: ['gatehouse', 'b'] }) }],
  ['expired', { claims: claims => ({ ...claims, iat: now() - 900, exp: now() - 60 }) }],
  ['of the future', { claims: claims => ({ ...claims, iat: now() + 60, exp: now() + 900 }) }],
  ['an empty sub', { claims: claims => ({ ...claims, sub: '' }) }],
  ['a sub of control characters', { claims: claims => ({ ...claims, sub: '\0' }) }],
  ['a sub of 256 letters', { claims: claims => ({ ...claims, sub: 'x'.repeat(256) }) }],
  ['no sub', { claims: ({ sub, ...claims }) => claims }],
  ['alg none', { token: unsigned }],
  ['the public key as a secret', { token: signedByPublicKey }],
  ['an unknown key', { token: async claims => await signed(claims, await newKey()) }],
  ['another key', { token: async (claims, { kid }) => await signed(claims, { ...await newKey(), kid }) }],
  ['no ID token', { token: async () => undefined as never }],
  ['iss of another in the callback', { callback: sent => sent.set('iss', foreign.issuer) }],
  ['no iss in the callback', { callback: sent => sent.delete('iss') }],
  ['the callback has an ID token instead', { callback: (sent) => { sent.delete('code'); sent.set('id_token', 'x') } }],
  ['the callback has two codes', { callback: sent => sent.append('code', 'x') }]
]

t.test('an answer of the provider that is not in order signs nobody in', async (t) => {
  for (const [what, bend] of lies) {
    await pupil()
    Object.assign(provider, { bend })
    const browser = new Browser()
    const { statusCode, headers, body } = await browser.get(await browser.begin(main, provider), main)
    t.equal(statusCode, 400, `${what}: ${logs.at(-1)!.cause}`)
    t.match(body, 'Please start again', what)
    t.equal(headers.location, undefined, what)
  }
  provider.bend = {}
  await pupil()
  t.ok(await signIn(), 'the provider is not held to be down')
})

t.test('a provider that allows other algorithms gets no other ID tokens accepted', async (t) => {
  const bends = [['alg none', unsigned], ['the public key as a secret', signedByPublicKey]] as const
  for (const [what, token] of bends) {
    const replica = await startApp(t, shared)
    provider.bend = {
      discovery: document => ({ ...document, id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] }), token
    }
    await pupil()
    const browser = new Browser()
    t.equal((await browser.get(await browser.begin(replica, provider), replica)).statusCode, 400, what)
  }
})

t.test('a provider that calls itself otherwise than OIDC_FILE does is not asked further', async (t) => {
  const replica = await startApp(t, shared)
  provider.bend = { discovery: document => ({ ...document, issuer: `${provider.issuer}/` }) }
  const { statusCode } = await new Browser().get(`/api/auth/oidc/a?challenge=${challengeOf('x')}`, replica)
  t.equal(statusCode, 503)
})

t.test('a provider where nobody can select an account lets people log in again', async (t) => {
  const replica = await startApp(t, shared)
  provider.bend = { discovery: document => ({ ...document, prompt_values_supported: ['none', 'login', 'consent'] }) }
  const { headers } = await new Browser().get(`/api/auth/oidc/a?challenge=${challengeOf('x')}`, replica)
  t.equal(new URL(headers.location as string).searchParams.get('prompt'), 'login')
})

t.test('a key that the provider has replaced between the way there and back is found at once', async (t) => {
  await pupil()
  await signIn()
  const browser = new Browser()
  const back = await browser.begin(main, provider)
  await provider.rotate()
  t.equal((await browser.get(back, main)).statusCode, 303)
})

t.test('a person who says no, and a provider that does, come to a page', async (t) => {
  await pupil()
  for (const error of ['access_denied', '<script>', 'temporarily_unavailable']) {
    provider.bend = { callback: (sent) => { sent.delete('code'); sent.set('error', error) } }
    const browser = new Browser()
    const { statusCode, body } = await browser.get(await browser.begin(main, provider), main)
    t.equal(statusCode, 400, error)
    t.notMatch(body + JSON.stringify(logs.at(-1)), error === '<script>' ? /<script>(?!\n)/ : /\bundefined\b/)
  }
})

t.test('a ticket works once, with the verifier of its page, for a minute, and not after a revocation', async (t) => {
  const { username } = await pupil()
  const ticket = async (browser: Browser): Promise<string> =>
    ticketIn(await browser.get(await browser.begin(main, provider), main))!
  await signIn()

  const browser = new Browser()
  const first = await ticket(browser)
  t.equal((await browser.exchange(first, main, new Browser().verifier)).statusCode, 401, 'another page')
  t.equal((await browser.exchange(first.slice(1), main)).statusCode, 401, 'another ticket')
  const both = await Promise.all([main, other].map(async replica => await browser.exchange(first, replica)))
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 401], 'at once on two replicas')

  const late = await ticket(browser)
  await app.db.$executeRaw`UPDATE sign_in_tickets SET expires_at = expires_at - interval '61 seconds'`
  t.equal((await browser.exchange(late, main)).statusCode, 401, 'late')

  const revoked = await ticket(browser)
  await revokeTokens(app.db, username)
  t.equal((await browser.exchange(revoked, main)).statusCode, 401, 'after a revocation')
  t.match(await app.db.signInTicket.count(), 1, 'a sign-in removes those that are over')
})

t.test('no parameter changes where the browser goes', async (t) => {
  await pupil()
  const elsewhere = ['//evil.example', '\\\\evil.example', 'https://evil.example', '%0d%0aLocation:%20//evil.example']
  for (const text of elsewhere) {
    const more = ['redirect_uri', 'return_to', 'next', 'url', 'RelayState'].map(name => `&${name}=${text}`).join('')
    const browser = new Browser()
    const begun = await browser.get(`/api/auth/oidc/a?challenge=${challengeOf(browser.verifier)}${more}`, main)
    t.match(begun.headers.location, new RegExp(`^${provider.issuer}/authorize\\?`))
    const { pathname, search } = await provider.visit(begun.headers.location as string)
    const answer = await browser.get(pathname + search + more, main)
    t.match(answer.headers.location, new RegExp(`^${LOGIN_PAGE}#ticket=`))
    for (const challenge of [text, '', `${challengeOf('x')}${text}`]) {
      t.equal((await browser.get(`/api/auth/oidc/a?challenge=${challenge}`, main)).statusCode, 400)
    }
  }
})

t.test('code, state, cookie and ticket are in no line of the log', async (t) => {
  await pupil()
  const browser = new Browser()
  const back = await browser.begin(main, provider)
  const { cookie } = browser
  const ticket = ticketIn(await browser.get(back, main))!
  await browser.exchange(ticket, main)
  const { searchParams } = new URL(back, LOGIN_PAGE)
  const secrets = [searchParams.get('code')!, searchParams.get('state')!, cookie!.slice(-40), ticket, browser.verifier]
  for (const secret of secrets) t.notMatch(JSON.stringify(logs), secret)
})

t.test('a refusal of the entry is a page in the reader\'s language, too', async (t) => {
  const browser = new Browser()
  const language = { 'accept-language': 'hi' }
  t.match((await browser.get('/api/auth/oidc/nobody', main, language)).body, /<html lang="hi">[^]*ऐसा कोई तरीका/)
  for (let taken = 1; taken < 60; taken++) await browser.get('/api/auth/oidc/nobody', main)
  for (const url of ['/api/auth/oidc/a', '/api/auth/oidc/a/callback']) {
    const { statusCode, headers, body } = await browser.get(url, main, language)
    t.equal(statusCode, 429)
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' })
    t.match(body, '<html lang="hi">')
  }
})

t.test('a provider that is slow, down, endless or in trouble is a page for its own users, and not asked again at once',
  async (t) => {
    await pupil()
    const failures: Array<[what: string, bend: typeof provider.bend]> = [
      ['in trouble', {
        answer (path, _request, response) {
          if (path === '/token') response.writeHead(500).end()
          return path === '/token'
        }
      }],
      ['endless', {
        answer (path, _request, response) {
          if (path !== '/token') return false
          response.writeHead(200, { 'content-type': 'application/json' })
          response.write('{"id_token":"')
          const more = (): void => { while (response.write('x'.repeat(65_536))); }
          response.on('drain', more).on('error', () => {})
          more()
          return true
        }
      }],
      ['silent', { answer: path => path === '/token' }]
    ]
    for (const [what, bend] of failures) {
      const { app: fresh } = await startApp(t, shared)
      const replica = { ...main, app: fresh }
      provider.bend = bend
      const browser = new Browser()
      const { statusCode, body } = await browser.get(await browser.begin(replica, provider), replica)
      t.equal(statusCode, 503, what)
      t.match(body, 'School A cannot be reached', what)
      provider.asked.length = 0
      const next = await new Browser().get(`/api/auth/oidc/a?challenge=${challengeOf('x')}`, replica)
      t.equal(next.statusCode, 503, `${what}: at once`)
      t.same(provider.asked, [])
      t.match(fresh.states.signIn, { value: 'a provider fails' })
      const there = await new Browser().get(`/api/auth/oidc/b?challenge=${challengeOf('x')}`, replica)
      t.equal(there.statusCode, 303, 'the other provider')
    }
  })

t.test('a secret that the provider refuses is our fault until it accepts one, and not the person\'s', async (t) => {
  await pupil()
  const challenges = [[{}, 'invalid_client'], [{ 'www-authenticate': 'Basic realm="x"' }, 'status 401']] as const
  for (const [headers, cause] of challenges) {
    provider.bend = {
      answer (path, _request, response) {
        if (path !== '/token') return false
        response.writeHead(401, { 'content-type': 'application/json', ...headers }).end('{"error":"invalid_client"}')
        return true
      }
    }
    const browser = new Browser()
    const { statusCode } = await browser.get(await browser.begin(main, provider), main)
    t.equal(statusCode, 503)
    t.match(logs.at(-1), { cause: `the provider does not accept gatehouse: ${cause}` })
    t.match(app.states.signIn, { value: 'a provider fails', reason: /^a: the provider does not accept gatehouse/ })
  }
  provider.bend = {}
  await signIn()
  t.match(app.states.signIn, { value: 'no provider fails' })
})

t.test('the metric counts sign-ins by provider and outcome', async (t) => {
  await pupil()
  const count = async (): Promise<number> => (await seriesOf(app, 'gatehouse_sign_ins_total'))
    .find(({ labels }) => labels.provider === 'a' && labels.outcome === 'success')!.value
  await signIn()
  const before = await count()
  await signIn()
  t.equal(await count() - before, 1)
})

t.test('while keys are rotated, any replica goes on with what another has begun', async (t) => {
  const secrets = [shared.JWT_SECRET, 'a newer secret of the replicas for their tokens']
  const older = await startApp(t, { ...shared, JWT_SECRET: secrets.join() })
  const newer = await startApp(t, { ...shared, JWT_SECRET: secrets.reverse().join() })
  await pupil()
  for (const [one, two] of [[main, newer], [newer, older]] as const) {
    const browser = new Browser()
    t.equal((await browser.get(await browser.begin(one, provider), two)).statusCode, 303)
  }
})

t.test('while PostgreSQL takes no ticket, the callback is a page', async (t) => {
  await pupil()
  const DATABASE_URL = `${shared.DATABASE_URL}?options=-c%20default_transaction_read_only%3Don`
  const readOnly = await startApp(t, { ...shared, DATABASE_URL })
  const browser = new Browser()
  const { statusCode, body, headers } = await browser.get(await browser.begin(readOnly, provider), readOnly)
  t.equal(statusCode, 503)
  t.match(body, '<h1>Sign in</h1>')
  t.equal(headers['referrer-policy'], 'no-referrer')
})

t.test('oidc-provider, which is certified, signs people in', async (t) => {
  const certified = await startOpenIdProvider(t, {
    ...CLIENT, redirectUris: ['http://127.0.0.1:3000/api/auth/oidc/a/callback']
  })
  const service = await startApp(t, signInSettings(t, [{ issuer: certified.issuer, domains, provision: true }]))
  const email = 'certified@school.example'
  certified.account = { sub: 'certified', email, email_verified: true, hd: 'school.example' }
  const browser = new Browser()
  const begun = await browser.get(`/api/auth/oidc/a?challenge=${challengeOf(browser.verifier)}`, service)
  const { pathname, search } = await followToCallback(begun.headers.location as string)
  const answer = await browser.get(pathname + search, service)
  t.match((await browser.exchange(ticketIn(answer), service)).json(), { data: { userName: email } })
})

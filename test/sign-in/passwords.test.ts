// With `"passwords": false`, linked users have one way in: an old password or a mailed link is none. Operators link.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { challengeOf } from '#src/sign-in/flow.js'
import { linkAccount } from '#src/sign-in/accounts.js'
import { startApp } from '../fixtures/app.js'
import { startBentProvider } from '../fixtures/bent-provider.js'
import { command } from '../fixtures/command.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { Browser, signInSettings, ticketIn } from '../fixtures/sign-in.js'
import { until } from '../fixtures/until.js'

const [only, beside] = [await startBentProvider(t), await startBentProvider(t)]
const environment = {
  ...signInSettings(t, [
    { issuer: only.issuer, linkedOnly: true, passwords: false }, { issuer: beside.issuer, linkedOnly: true }
  ]),
  DATABASE_URL: await newDatabase(),
  JWT_SECRET: 'a secret of this test for its tokens'
}
const main = await startApp(t, environment)
const { app, config, client } = main

/** An account that is linked, with an address and a password. */
async function linked ({ issuer }: { issuer: string }) {
  const one = await main.user()
  await app.db.user.update({ where: { id: one.id }, data: { email: `${one.username}@school.example` } })
  await linkAccount(app.db, one.id, { issuer, subject: one.username })
  return one
}

t.test('the password of a linked user is refused as a wrong one is, for a login and for a change', async (t) => {
  const one = await linked(only)
  const { username, password } = one
  const refused = await main.login(client(), username, password)
  const wrong = await main.login(client(), username, 'wrong horse battery')
  t.equal(refused.statusCode, 401)
  t.equal(refused.json().message, wrong.json().message)
  const changed = await app.inject({
    method: 'POST',
    url: '/auth/changePassword',
    remoteAddress: client(),
    payload: { username, currentPassword: password, newPassword: 'another horse battery' }
  })
  t.equal(changed.statusCode, 401)
  const other = await linked(beside)
  t.equal((await main.login(client(), other.username, other.password)).statusCode, 200, 'beside passwords')
})

t.test('a linked user gets no mail with a link to set a password', async (t) => {
  const users = [await linked(only), await linked(beside)]
  for (const { username } of users) {
    await app.inject({ method: 'POST', url: '/auth/forgot-password', remoteAddress: client(), payload: { username } })
  }
  const outbox = join(config.dataDir, 'outbox')
  await until(async () => await app.db.mail.count({ where: { dueAt: { not: null } } }) === 0)
  const mails = readdirSync(outbox).map(file => readFileSync(join(outbox, file), 'utf8'))
  t.equal(mails.length, 1)
  t.match(mails[0], `${users[1]!.username}@school.example`)
})

t.test('an operator links and unlinks a user, by the sub that the log of a refused sign-in names', async (t) => {
  const { username } = await main.user()
  only.person = { sub: 'sub-of-asha' }
  const attempt = async () => {
    const browser = new Browser()
    return [browser, await browser.get(await browser.begin(main, only), main)] as const
  }
  const [, refused] = await attempt()
  t.equal(refused.statusCode, 403)
  t.match(refused.body, 'You have signed in at School A, but no account')
  t.match(main.logs.at(-1), { event: 'authn_sign_in_fail', provider: 'a', cause: /sub-of-asha/ })

  const { code, stdout, stderr } = await command(['users', 'link', username, 'a', 'sub-of-asha'], environment)
  t.equal(code, 0, stderr)
  t.match(stdout, `${username} signs in at School A now`)
  const [browser, answer] = await attempt()
  t.match((await browser.exchange(ticketIn(answer), main)).json(), { data: { userName: username } })
  const shown = await command(['users', 'show', username, '--json'], environment)
  t.match(JSON.parse(shown.stdout), { signInIssuer: only.issuer, signInSubject: 'sub-of-asha' })

  const another = await main.user()
  const wrong: Array<[args: string[], status: number, text: RegExp]> = [
    [[another.username, 'a', 'sub-of-asha'], 1, new RegExp(`${username} is linked to this person`)],
    [[another.username, 'x', 'sub'], 1, /OIDC_FILE has no provider x; it has a, b/],
    [['nobody-at-all', 'a', 'sub'], 3, /nobody-at-all/],
    [[another.username, 'a'], 2, /takes USER, NAME and SUB/],
    [[another.username, 'a', 'sub', '--remove'], 2, /takes USER, NAME and SUB/]
  ]
  for (const [args, status, text] of wrong) {
    const result = await command(['users', 'link', ...args], environment)
    t.equal(result.code, status, args.join(' '))
    t.match(result.stderr, text)
  }
  await command(['users', 'link', username, '--remove'], environment)
  t.equal((await attempt())[1].statusCode, 403)
})

t.test('a file links users, and an export says who is linked', async (t) => {
  const [one, another] = [await main.user(), await main.user()]
  const csv = (...rows: string[][]): string =>
    `username,signInIssuer,signInSubject\n${rows.map(row => row.join()).join('\n')}\n`
  const load = async (text: string) => await command(['users', 'import', '-', '--update'], environment, text)
  const { tokenVersion } = await app.db.user.findUniqueOrThrow({ where: { id: one.id } })
  const rows = [[one.username, beside.issuer, 'sub-of-one'], ['sara.new', beside.issuer, 'sub-of-sara']]
  const { code, stderr } = await load(csv(...rows))
  t.equal(code, 0, stderr)
  t.match(await app.db.user.findUnique({ where: { id: one.id } }), {
    signInIssuer: beside.issuer, signInSubject: 'sub-of-one', tokenVersion: tokenVersion + 1
  })
  const { stdout } = await command(['users', 'export'], environment)
  t.match(stdout, new RegExp(`^\\d+,sara\\.new,.*,${beside.issuer},sub-of-sara$`, 'm'))
  t.equal((await load(stdout)).code, 0, 'again, nothing changes')

  for (const [row, fault] of [
    [[another.username, beside.issuer, ''], 'signInSubject must be'],
    [[another.username, '', 'x'], 'signInIssuer must be'],
    [[another.username, beside.issuer, 'sub-of-one'], 'is linked to the same person']
  ] as const) {
    const refused = await load(csv([...row]))
    t.not(refused.code, 0)
    t.match(refused.stderr + refused.stdout, fault)
  }
})

t.test('SIGHUP takes over other providers, and keeps those that stay', async (t) => {
  const { app: fresh } = await startApp(t, environment)
  const kept = fresh.signIn.providers.get('b')
  const [first, second] = config.signInProviders
  await fresh.reload({ ...config, signInProviders: [{ ...first!, name: 'new', passwords: true }, second!] })
  t.equal(fresh.signIn.providers.get('b'), kept)
  t.same([...fresh.signIn.providers.keys()], ['new', 'b'])
  const ask = async (name: string): Promise<number> => {
    const url = `/api/auth/oidc/${name}?challenge=${challengeOf('x')}`
    return (await fresh.inject({ url, remoteAddress: client() })).statusCode
  }
  t.same([await ask('a'), await ask('new')], [404, 303])
  const one = await linked(only)
  const { statusCode } = await fresh.inject({
    method: 'POST', url: '/api/auth/login', remoteAddress: client(), payload: one
  })
  t.not(statusCode, 401)
})

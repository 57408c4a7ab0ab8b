// Whose account a sign-in is: that of `iss` and `sub` alone. A first one finds an account by the address only where
// nobody else can have given it.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { disable, setEmail } from '#src/auth/account-changes.js'
import type { User } from '#prisma/client.js'
import { accountOf, NoAccount } from '#src/sign-in/accounts.js'
import type { IdClaims } from '#src/sign-in/claims.js'
import type { Provider } from '#src/sign-in/provider.js'
import { newUsername, startApp } from '../fixtures/app.js'

const main = await startApp(t)
const { app: { db } } = main

const google: Provider = {
  name: 'google', label: 'Google', issuer: 'https://a.example', clientId: 'x', clientSecret: 'x', domains: ['school.example']
}
const provisioning: Provider = { ...google, provision: true }
const withRoles: Provider = { ...google, roles: { claim: 'groups', map: { teachers: 'TEACHER' } } }

interface Person { claims: IdClaims, email: string }

function person (more: object = {}): Person {
  const email = `${newUsername()}@school.example`
  return { email, claims: { sub: randomUUID(), hd: 'school.example', email, email_verified: true, ...more } }
}

/** An account that has the address of a person. */
async function accountWith (email: string, data: Partial<User> = {}): Promise<User> {
  const { id } = await main.user()
  return await db.user.update({ where: { id }, data: { email, ...data } })
}

async function refusal (provider: Provider, { claims }: Person): Promise<string> {
  return await accountOf(db, provider, claims).then(() => 'found', (error) => {
    if (error instanceof NoAccount) return error.message
    throw error
  })
}

t.test('the first sign-in links the account that has the address, and ends its tokens', async (t) => {
  const asha = person()
  const before = await accountWith(asha.email)
  const { user, change } = await accountOf(db, google, asha.claims)
  t.match(user, { id: before.id, signInIssuer: google.issuer, signInSubject: asha.claims.sub })
  t.equal(change, 'linked')
  t.equal(user.tokenVersion, before.tokenVersion + 1)
  const again = await accountOf(db, google, { sub: asha.claims.sub })
  t.match(again, { user: { id: before.id, tokenVersion: user.tokenVersion }, change: undefined }, 'by sub alone then')
})

t.test('two first sign-ins at once find one account', async (t) => {
  const [asha, ravi] = [person(), person()]
  await accountWith(asha.email)
  for (const [provider, { claims }] of [[google, asha], [provisioning, ravi]] as const) {
    const found = await Promise.all([1, 2, 3].map(async () => await accountOf(db, provider, claims)))
    t.equal(new Set(found.map(({ user }) => user.id)).size, 1)
    t.equal(await db.user.count({ where: { signInSubject: claims.sub } }), 1)
  }
})

t.test('an account is not linked by itself if the address does not say whose it is', async (t) => {
  const accounts: Array<[why: string, data: Partial<User>]> = [
    ['made by whoever typed it', { selfRegistered: true }],
    ['disabled', { disabledAt: new Date() }],
    ['linked to somebody else', { signInIssuer: google.issuer, signInSubject: 'another' }],
    ['an administrator\'s', { role: 'ADMIN' }]
  ]
  for (const [why, data] of accounts) {
    const one = person()
    const before = await accountWith(one.email, data)
    t.match(await refusal(provisioning, one), why)
    t.match(await db.user.findUnique({ where: { id: before.id } }), before, why)
  }
  const shared = person()
  await accountWith(shared.email)
  await accountWith(shared.email)
  t.match(await refusal(provisioning, shared), 'several accounts')
  t.match(await refusal(provisioning, person({ email_verified: false })), 'nobody vouches')
})

t.test('an address that another pupil has got since does not lead to the former one\'s account', async (t) => {
  const former = person()
  const { id } = await accountWith(former.email)
  await accountOf(db, google, former.claims)
  const successor = { ...former, claims: { ...former.claims, sub: randomUUID() } }
  t.match(await refusal(google, successor), 'linked to somebody else')
  await setEmail(db, (await db.user.findUniqueOrThrow({ where: { id } })).username, null)
  t.match(await refusal(google, successor), 'none has the address')
})

t.test('a disabled account lets nobody in', async (t) => {
  const asha = person()
  const { username } = await accountWith(asha.email)
  await accountOf(db, google, asha.claims)
  await disable(db, username)
  t.match(await refusal(google, asha), 'disabled')
})

t.test('the same sub at another provider is somebody else', async (t) => {
  const asha = person()
  await accountWith(asha.email)
  await accountOf(db, google, asha.claims)
  t.match(await refusal({ ...google, issuer: 'https://b.example' }, asha), 'linked to somebody else')
})

t.test('an account is made only if provisioning is on, with the lowest role and no password', async (t) => {
  const ravi = person()
  t.match(await refusal(google, ravi), 'none has the address')
  const { user, change } = await accountOf(db, provisioning, ravi.claims)
  t.equal(change, 'created')
  t.match(user, {
    username: ravi.email,
    email: ravi.email,
    role: 'USER',
    userType: 'STUDENT',
    passwordHash: null,
    selfRegistered: false
  })
  const taken = person()
  await main.user({ username: taken.email })
  t.match(await refusal(provisioning, taken), 'an account has the address as its username, but not as its address')
})

t.test('a role that the provider\'s groups change ends the tokens of before', async (t) => {
  const asha = person({ groups: ['teachers'] })
  await accountWith(asha.email)
  const { user: teacher } = await accountOf(db, withRoles, asha.claims)
  t.equal(teacher.role, 'TEACHER')
  const { user, change } = await accountOf(db, withRoles, { ...asha.claims, groups: ['pupils'] })
  t.match({ user, change }, { user: { role: 'USER', tokenVersion: teacher.tokenVersion + 1 }, change: 'role' })
})

// Each reset request leads to at most one mail, at most three an hour for an account, and an owner always has a valid
// link. Outages, kills and slow mail servers delay mails, but lose and repeat none. What a user waits for goes first,
// and a server at fault is tried seldom.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'
import t, { type Test } from 'tap'
import { disable, enable, revokeTokens, setEmail, setRole } from '#src/auth/account-changes.js'
import { ownerOfResetToken, redeemResetToken, setPassword } from '#src/auth/password-changes.js'
import { beginReset, confirmReset } from '#src/auth/reset-links.js'
import { readLanguages } from '#src/languages/languages.js'
import { createMailer } from '#src/mail/mailer.js'
import { requestReset } from '#src/mail/account-mails.js'
import { deleteOldMails } from '#src/mail/mails.js'
import { resolveRequests } from '#src/mail/reset-requests.js'
import { Outbox } from '#src/mail/outbox.js'
import { dropMail, outboxState, retryNow, waitingInAll, waitingMails } from '#src/mail/waiting-mails.js'
import { openDatabase } from '#src/database/database.js'
import type { Mail, PrismaClient, User } from '#prisma/client.js'
import { newUsername } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startNetwork } from '../fixtures/network.js'
import { startPostgres } from '../fixtures/postgres.js'
import { startServer } from '../fixtures/process.js'
import { hang, refuse, slow, startSmtp, type ReceivedMail, type Smtp } from '../fixtures/smtp.js'
import { until } from '../fixtures/until.js'

const postgres = await startPostgres(t)
const urlOf = (name: string): string => postgres.url.replace(/postgres$/, name)

const admin = await postgres.connect('template1')
const inTurn = pLimit(1)

let databases = 0
/** Migrated databases without users, which no test has now. Making one takes longer than most of these tests. */
const free: string[] = []
/** A port on which nothing listens. */
const NOBODY = 1

/** A migrated database that no other test has now, because every worker sends whatever mails there are. */
async function newDatabase (t: Test): Promise<{ url: string, db: PrismaClient }> {
  let name = free.pop()
  if (name === undefined) {
    name = `outbox${++databases}`
    const create = `CREATE DATABASE ${name} TEMPLATE postgres STRATEGY file_copy`
    await inTurn(() => admin.query(create))
  }
  t.after(async () => {
    const { prisma, close } = await openDatabase({ databaseUrl: urlOf(name), dataDir: '', databaseTimeoutMs: 20_000 })
    await prisma.$executeRaw`TRUNCATE users, mails, mail_server CASCADE`
    await close()
    free.push(name)
  })
  return { url: urlOf(name), db: await openClient(t, urlOf(name)) }
}

/** A mail server, and a database of those who get its mails. */
async function newPost (t: Test): Promise<{ smtp: Smtp, url: string, db: PrismaClient }> {
  return { smtp: await startSmtp(t), ...await newDatabase(t) }
}

async function openClient (t: Test, databaseUrl: string): Promise<PrismaClient> {
  const { prisma, close } = await openDatabase({ databaseUrl, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(close)
  return prisma
}

async function newUser (db: PrismaClient, fields: Partial<User> = {}): Promise<User & { email: string }> {
  const username = newUsername()
  const user = await db.user.create({
    data: {
      username,
      email: `${username}@school.example`,
      passwordHash: 'hash',
      userType: 'STUDENT',
      role: 'USER',
      ...fields
    }
  })
  return user as User & { email: string }
}

const tokenKey = Buffer.from('one key on all replicas')

interface Line { level: string, code?: string, [detail: string]: unknown }
interface Worker { lines: Line[], stop: () => Promise<void> }

/** A replica's worker, on connections of its own. */
async function startWorker (t: Test, databaseUrl: string, smtp: Pick<Smtp, 'url'>): Promise<Worker> {
  const lines: Line[] = []
  const at = (level: string) => (details: object) => { lines.push({ level, ...details }) }
  const db = await openClient(t, databaseUrl)
  const outbox = new Outbox(db, db, {
    mailer: createMailer({ smtpUrl: smtp.url, from: 'gatehouse@school.example', directory: '/nowhere' }),
    links: {
      beginReset: async (recipient, token) => await beginReset(db, recipient, token, 'https://login.school.example'),
      confirmReset: async token => await confirmReset(db, token),
      beginEnrolment: async () => new URL('https://login.school.example/second-factor')
    },
    hasNoPasswordLogin: () => false,
    tokenKey: () => tokenKey,
    wording: { languages: readLanguages(), appName: 'gatehouse', loginUrl: undefined },
    log: { info: at('info'), warn: at('warn'), error: at('error') }
  })
  const stop = async (): Promise<void> => await outbox.stop()
  t.after(stop)
  return { lines, stop }
}

const done = (db: PrismaClient) =>
  until(async () => await db.mail.count({ where: { dueAt: { not: null } } }) === 0, 'no mail waits')
const attempted = (db: PrismaClient, attempts: number) => until(async () =>
  (await waiting(db)).every(mail =>
    mail.attempts === attempts && mail.seconds < 100), `attempt ${attempts} of every mail failed`)

/** With the seconds until each is due. */
async function waiting (db: PrismaClient): Promise<Array<{ id: string, attempts: number, seconds: number }>> {
  return await db.$queryRaw`SELECT id::text, attempts, extract(epoch FROM due_at - now())::float8 AS seconds FROM mails
    WHERE due_at IS NOT NULL`
}

/** Makes all waiting mails due, and ends their leases and the pause after a fault of the mail server. */
async function age (db: PrismaClient): Promise<void> {
  await db.$executeRaw`UPDATE mails SET due_at = now(), claimed_until = NULL WHERE due_at IS NOT NULL`
  await db.$executeRaw`UPDATE mail_server SET faults = 0, paused_until = now()`
}

/** How long no replica tries to send a mail. */
async function pauseOf (db: PrismaClient): Promise<number | undefined> {
  const [row] = await db.$queryRaw<Array<{ seconds: number }>>`
    SELECT extract(epoch FROM paused_until - now())::float8 AS seconds FROM mail_server`
  return row?.seconds
}

const recipientsOf = (mails: ReceivedMail[]): string[] => mails.flatMap(({ recipients }) => recipients).sort()
const tokenOf = ({ email }: ReceivedMail): string => /#token=([\w-]{43})&username=/.exec(email.text!)![1]!
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const hashStored = async (db: PrismaClient, { id }: User) => (await db.user.findUniqueOrThrow({
  where: { id }
})).resetTokenHash
const hashPending = async (db: PrismaClient, { id }: User) => (await db.user.findUniqueOrThrow({
  where: { id }
})).pendingResetTokenHash

// Most of these tests mostly wait.
t.jobs = 5

/** A mail of a new user that the server has refused for now. The next try will succeed. */
async function newDelayed (t: Test) {
  const post = await newPost(t)
  const user = await newUser(post.db)
  post.smtp.on.data = refuse(451)
  await requestReset(post.db, { username: user.username }, 'request')
  const worker = await startWorker(t, post.url, post.smtp)
  await attempted(post.db, 1)
  post.smtp.on = {}
  return { ...post, ...worker, user }
}

/** Asks for a mail. Returns when a worker has looked the account up. */
async function ask (db: PrismaClient, { username }: User): Promise<void> {
  await requestReset(db, { username }, 'request')
  await until(async () => await db.mail.count({ where: { userId: null } }) === 0, 'it was looked up')
}

/** Returns when the workers have sent a mail that was asked for now, and so have passed over what does not go out. */
async function sendsAnother (db: PrismaClient, smtp: Smtp): Promise<void> {
  const { username, email } = await newUser(db)
  await requestReset(db, { username }, 'of another')
  await until(() => recipientsOf(smtp.mails).includes(email), 'another mail is sent')
}

t.test('forty requests on three replicas send exactly one mail each', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const users = []
  for (let i = 0; i < 40; i++) users.push(await newUser(db))
  const workers = await Promise.all([1, 2, 3].map(() => startWorker(t, url, smtp)))
  await Promise.all(users.map(({ username, email }, i) =>
    requestReset(db, i % 2 ? { username } : { email }, `request-${i}`)))
  await done(db)
  await Promise.all(workers.map(({ stop }) => stop()))
  t.same(recipientsOf(smtp.mails), users.map(({ email }) => email).sort())
  const sent = (await db.mail.findMany()).map(({ userId, attempts }) => [userId, attempts])
  t.same(sent.sort(), users.map(({ id }) => [id, 1]).sort())
  const counts = workers.map(({ lines }) => lines.filter(({ code }) => code === 'mail_sent').length)
  t.equal(counts.reduce((sum, n) => sum + n), 40)
  t.ok(counts.filter(n => n > 0).length > 1, `they shared the work: ${counts}`)
})

t.test('what the mail server refuses for now waits with backoff, and then goes out once each', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const users = await Promise.all([1, 2, 3].map(() => newUser(db)))
  smtp.on.data = refuse(451)
  for (const { username } of users) await requestReset(db, { username }, 'request')
  const workers = await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  // After a hundred tries it would be years without a bound.
  for (const [attempts, wait] of [[1, 5], [2, 10], [3, 20], [96, 900]] as const) {
    if (attempts > 1) {
      await db.mail.updateMany({ data: { attempts: attempts - 1 } })
      await age(db)
    }
    await until(async () => (await waiting(db)).every(mail =>
      mail.attempts === attempts && mail.seconds > wait * 0.75 - 3 && mail.seconds <= wait * 1.25
    ), `after attempt ${attempts} they wait ${wait} s`)
  }

  smtp.on = {}
  await age(db)
  await done(db)
  await Promise.all(workers.map(({ stop }) => stop()))
  t.same(recipientsOf(smtp.mails), users.map(({ email }) => email).sort())
  const codes = workers.flatMap(({ lines }) => lines.map(({ level, code }) => `${level} ${code}`))
  t.same(codes.sort(), [...Array(3).fill('info mail_sent'), ...Array(3 * 4).fill('warn mail_delayed')])
})

/** What a login with this password has to offer. */
const withPassword = ({ url }: Smtp, password: string) => ({ url: url.replace('//', `//gatehouse:${password}@`) })

/** Starts replicas, and ends them once all pause for so long because one has tried a mail. */
async function pausesFor (
  t: Test, seconds: number, { url, db }: { url: string, db: PrismaClient }, smtp: Pick<Smtp, 'url'>, replicas = 1
): Promise<Line[]> {
  const workers = await Promise.all(Array.from({ length: replicas }, () => startWorker(t, url, smtp)))
  const wait = async () => await pauseOf(db) ?? 0
  await until(async () => (await wait()) > seconds - 3 && (await wait()) <= seconds, `it pauses for ${seconds} s`)
  await Promise.all(workers.map(({ stop }) => stop()))
  return workers.flatMap(({ lines }) => lines)
}

t.test('a wrong password is tried again after 5 s, 1, 3 and 10 minutes, by one of all replicas', async (t) => {
  const smtp = await startSmtp(t, { login: { username: 'gatehouse', password: 'right' } })
  const { url, db } = await newDatabase(t)
  for (let i = 0; i < 20; i++) {
    const { id } = await newUser(db)
    await db.mail.create({ data: { kind: 'password_changed', userId: id, requestId: 'request' } })
  }

  for (const seconds of [5, 60, 180, 600, 900, 900]) {
    const before = smtp.logins.length
    const lines = await pausesFor(t, seconds, { url, db }, withPassword(smtp, 'wrong'), 3)
    const logins = smtp.logins.length - before
    // At the very first one they may look for a mail in the same moment.
    t.ok(logins === 1 || (before === 0 && logins <= 3), `${logins} logins before a pause of ${seconds} s`)
    t.match(lines.at(-1), { code: 'mail_delayed', cause: /535/, nextTryAt: Date })
    await db.$executeRaw`UPDATE mail_server SET paused_until = now()`
  }
  await db.$executeRaw`UPDATE mail_server SET paused_until = now() + interval '15 minutes'`
  const [mail] = await waitingMails(db, 1)
  t.ok(mail!.nextTryAt!.getTime() - Date.now() > 800_000, 'operators see when the next try is')
  t.equal(smtp.logins.length, (await db.mail.findMany()).reduce((sum, { attempts }) => sum + attempts, 0),
    'no mail pays for another one\'s try')

  await startWorker(t, url, withPassword(smtp, 'right'))
  t.equal(await retryNow(db), 20, 'an operator ends the pause')
  await done(db)
  t.equal(smtp.mails.length, 20)
  t.equal(await pauseOf(db), undefined)
})

t.test('a failure of the database while a mail is written says nothing about the mail server', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { id } = await newUser(db)
  await requestReset(db, { username: (await db.user.findUniqueOrThrow({ where: { id } })).username }, 'request')
  await db.$executeRaw`INSERT INTO mail_server (id, faults, paused_until) VALUES (1, 4, now())`
  await db.$executeRaw`ALTER TABLE users ADD CONSTRAINT no_links CHECK (pending_reset_token_hash IS NULL)`
  t.after(() => db.$executeRaw`ALTER TABLE users DROP CONSTRAINT no_links`)

  const { lines } = await startWorker(t, url, smtp)
  await until(() => lines.some(({ code }) => code === 'mail_delayed'), 'the mail is tried')

  t.equal(smtp.mails.length, 0)
  const [server] = await db.$queryRaw<Array<{ faults: number }>>`SELECT faults FROM mail_server`
  t.equal(server?.faults, 4)
})

t.test('a mail server that is away, or wants fewer mails, is tried each minute, then gets every mail', async (t) => {
  for (const fault of ['away', 'throttles']) {
    const { smtp, url, db } = await newPost(t)
    const { username } = await newUser(db)
    if (fault === 'away') await smtp.stop()
    smtp.on.recipient = refuse(451, '4.7.0 Try again later')
    await requestReset(db, { username }, 'request')

    for (const seconds of [5, 60, 60]) {
      await pausesFor(t, seconds, { url, db }, smtp)
      const [mail] = await waiting(db)
      if (fault === 'away') t.ok(mail!.seconds <= 75, `it is due in ${mail!.seconds} s`)
      await db.$executeRaw`UPDATE mails SET due_at = now(), attempts = 50`
      await db.$executeRaw`UPDATE mail_server SET paused_until = now()`
    }

    smtp.on = {}
    if (fault === 'away') await smtp.start()
    await startWorker(t, url, smtp)
    await done(db)
    t.equal(smtp.mails.length, 1)
  }
})

t.test('of replicas that have sent nothing yet one logs in at a time', async (t) => {
  const smtp = await startSmtp(t, { login: { username: 'gatehouse', password: 'right' } })
  const { url, db } = await newDatabase(t)
  const users = await Promise.all([1, 2, 3].map(() => newUser(db)))
  let answer: () => void = () => {}
  const answered = new Promise<void>((resolve) => { answer = resolve })
  smtp.on.login = () => answered
  await startWorker(t, url, withPassword(smtp, 'right'))
  await ask(db, users[0]!)
  await until(() => smtp.logins.length === 1, 'the first replica logs in')

  await startWorker(t, url, withPassword(smtp, 'right'))
  for (const user of users.slice(1)) await ask(db, user)

  t.equal(smtp.logins.length, 1, 'the second one looked up two mails, and waits')
  answer()
  await done(db)
  t.equal(smtp.mails.length, 3)
})

t.test('a replica that alone cannot reach the mail server delays no mail', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const users = await Promise.all(Array.from({ length: 12 }, () => newUser(db)))
  const cutOff = await startWorker(t, url, { url: 'smtp://127.0.0.1:1' })
  await requestReset(db, { username: users[0]!.username }, 'request')
  await until(() => cutOff.lines.length === 1)
  await db.$executeRaw`UPDATE mails SET due_at = now()`
  await db.$executeRaw`UPDATE mail_server SET paused_until = now()`

  for (const { username } of users.slice(1)) await requestReset(db, { username }, 'request')
  await startWorker(t, url, smtp)

  await done(db)
  t.equal(smtp.mails.length, 12)
  t.match(cutOff.lines, [{ code: 'mail_delayed', cause: /ECONNREFUSED/ }])
})

/** So many accounts with one address. */
async function newSiblings (db: PrismaClient, count: number): Promise<Array<User & { email: string }>> {
  const email = `parent.${newUsername()}@school.example`
  return await Promise.all(Array.from({ length: count }, () => newUser(db, { email })))
}

/** The token of each account that a letter names. */
const tokensIn = ({ email }: ReceivedMail): Record<string, string> => Object.fromEntries(
  [...email.text!.matchAll(/#token=([\w-]{43})&username=(\w+)/g)].map(([, token, username]) => [username!, token!]))

const namesOf = (users: User[]): string[] => users.map(({ username }) => username).sort()

t.test('a reset by address is one letter with a link for each of its accounts, and each works by itself', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [asha, ravi, esha] = await newSiblings(db, 3) as [User, User, User & { email: string }]
  await newUser(db, { email: esha.email, disabledAt: new Date() })
  await db.user.update({ where: { id: esha.id }, data: { passwordHash: null } })
  await Promise.all([1, 2, 3].map(() => startWorker(t, url, smtp)))

  await requestReset(db, { email: esha.email }, 'request')
  await done(db)

  t.same(recipientsOf(smtp.mails), [esha.email])
  const tokens = tokensIn(smtp.mails[0]!)
  t.same(Object.keys(tokens), namesOf([asha, ravi, esha]))
  t.match(smtp.mails[0]!.email.text, `${asha.username}, for 60 minutes:`)
  t.match(smtp.mails[0]!.email.text, `${esha.username}, for 7 days:`)
  const use = (user: User) => redeemResetToken(db, hashOf(tokens[user.username]!), {
    passwordHash: 'new', requestId: 'request'
  })
  t.match([await use(ravi), await use(ravi)], [{ id: ravi.id }, undefined])
  t.same((await db.user.findMany({ where: { passwordHash: 'new' } })).map(({ id }) => id), [ravi.id])
  t.match([await use(asha), await use(esha)], [{ id: asha.id }, { id: esha.id }], 'the others are as before')
})

t.test('of eleven accounts with one address ten are in a letter, and a stranger\'s is not', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const siblings = await newSiblings(db, 11)
  await db.user.update({ where: { id: siblings[0]!.id }, data: { selfRegistered: true } })
  await startWorker(t, url, smtp)

  await requestReset(db, { email: siblings[0]!.email }, 'by address')
  await requestReset(db, { username: siblings[0]!.username }, 'by username')
  await done(db)

  t.same(smtp.mails.map(mail => Object.keys(tokensIn(mail))).sort((a, b) => b.length - a.length),
    [namesOf(siblings.slice(1)), namesOf(siblings.slice(0, 1))])
})

t.test('an account is in three letters an hour, and then its newest link is valid', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [asha, ravi] = await newSiblings(db, 2) as [User & { email: string }, User]
  await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))

  for (const whose of [{ username: asha.username }, ...Array(6).fill({ email: asha.email })]) {
    await requestReset(db, whose, 'request')
  }
  await done(db)

  const letters = smtp.mails.map(mail => Object.keys(tokensIn(mail)).join())
  const [both, one] = [namesOf([asha, ravi]).join(), asha.username]
  t.same(letters.sort(), [both, both, one, ravi.username].sort())
  for (const { username } of [asha, ravi]) {
    const newest = smtp.mails.flatMap(mail => tokensIn(mail)[username] ?? []).at(-1)!
    t.equal(await ownerOfResetToken(db, hashOf(newest)), username)
  }
})

t.test('a letter that the server refuses for now is one letter with the same links at the next try', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const siblings = await newSiblings(db, 4)
  const [{ email }, moved, changed] = siblings as [User & { email: string }, User, User]
  smtp.on.taken = refuse(451, 'taken, but the answer is lost')
  await requestReset(db, { email }, 'request')
  const workers = await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  await attempted(db, 1)
  t.equal((await waitingMails(db, 10)).length, 4)
  t.equal(smtp.connections(), 1)

  await setEmail(db, moved.username, 'moved@school.example')
  await setPassword(db, changed.username, 'new')
  smtp.on = {}
  t.equal(await retryNow(db, (await waitingMails(db, 10))[0]!.id) >= 2, true, 'with the others of its letter')
  await age(db)
  await done(db)
  await Promise.all(workers.map(({ stop }) => stop()))

  const [first, ...others] = smtp.mails.filter(mail => /#token/.test(mail.email.text!))
  const ofParent = others.filter(({ recipients }) => recipients[0] === email)
  t.equal(others.length, 2)
  t.same(Object.keys(tokensIn(first!)), namesOf(siblings))
  t.same(tokensIn(ofParent[0]!), Object.fromEntries(Object.entries(tokensIn(first!))
    .filter(([name]) => name !== moved.username && name !== changed.username)))
  t.same(others.filter(mail => !ofParent.includes(mail)).map(mail => [mail.recipients, Object.keys(tokensIn(mail))]),
    [[['moved@school.example'], [moved.username]]])
})

t.test('no link goes to an address that changes while its letter is written', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { id: userId, username } = await newUser(db)
  await db.mail.create({ data: { kind: 'password_reset', userId, requestId: 'request' } })
  const isWaiting = async (): Promise<boolean> => (await db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).length > 0

  const { lines } = await db.$transaction(async (tx) => {
    await setEmail(tx, username, 'moved@school.example')
    const worker = await startWorker(t, url, smtp)
    await until(isWaiting)
    return worker
  }, { timeout: 60_000 })
  await until(() => lines.length > 0)
  await age(db)
  await done(db)

  t.same(recipientsOf(smtp.mails), ['moved@school.example'])
})

t.test('letters by one address in one moment, and by name, go out in order, and none waits for ever', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [{ email, username }, other] = await newSiblings(db, 2) as [User & { email: string }, User]
  await requestReset(db, { username }, 'request')
  for (let i = 0; i < 2; i++) await requestReset(db, { email }, 'request')
  await db.$executeRaw`UPDATE mails SET created_at = (SELECT min(created_at) FROM mails)`

  await Promise.all([1, 2, 3].map(() => startWorker(t, url, smtp)))
  await done(db)

  t.equal(smtp.mails.length, 3)
  for (const name of [username, other.username]) {
    const newest = smtp.mails.flatMap(mail => tokensIn(mail)[name] ?? []).at(-1)!
    t.equal(await ownerOfResetToken(db, hashOf(newest)), name)
  }
})

t.test('one wrong address of three accounts is no fault of the mail server', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const siblings = await newSiblings(db, 3)
  smtp.on.recipient = refuse(550, '5.1.1 User unknown')
  const { lines } = await startWorker(t, url, smtp)

  for (const whose of [{ email: siblings[0]!.email }, ...siblings.map(({ username }) => ({ username }))]) {
    await requestReset(db, whose, 'request')
    await until(async () => await db.mail.count({ where: { refusedAt: null } }) === 0, 'it was refused')
  }

  t.same(await waiting(db), [])
  t.same(lines.map(({ code }) => code), Array(6).fill('mail_refused'))
})

t.test('a letter leaves out a mail that a replica of the last release has claimed: no mail goes twice', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const siblings = await newSiblings(db, 3)
  await requestReset(db, { email: siblings[0]!.email }, 'request')
  await resolveRequests(db)
  // What its statement does to the mail that it chooses: it knows no letters.
  const [claimed] = await db.$queryRaw<[{ id: string, userId: number }]>`
    UPDATE mails SET attempts = attempts + 1, claimed_until = now() + interval '2 minutes',
      due_at = now() + interval '2 minutes'
    WHERE id = (SELECT max(id::text)::uuid FROM mails) RETURNING id::text, user_id AS "userId"`

  await startWorker(t, url, smtp)
  await until(() => smtp.mails.length === 1, 'the others are sent')
  await db.mail.update({ where: { id: claimed.id }, data: { dueAt: null, claimedUntil: null } })
  await sendsAnother(db, smtp)

  t.same(Object.keys(tokensIn(smtp.mails[0]!)), namesOf(siblings.filter(({ id }) => id !== claimed.userId)))
  t.equal(smtp.mails.length, 2)
})

t.test('what a user waits for goes out before thousands of invitations', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const users = await Promise.all(Array.from({ length: 60 }, () => newUser(db, { passwordHash: null })))
  const dueAt = new Date(Date.now() - 60_000)
  await db.mail.createMany({
    data: users.map(({ id }) => ({ kind: 'invitation', userId: id, requestId: 'import', createdAt: dueAt, dueAt }))
  })
  const [pupil, invited] = [await newUser(db), users.at(-1)!]
  let begun: () => void = () => {}
  const asked = new Promise<void>((resolve) => { begun = resolve })
  smtp.on.data = () => asked
  await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  await until(() => smtp.connections() > 0, 'an invitation is being sent')

  for (const { username } of [pupil, invited]) await requestReset(db, { username }, 'request')
  begun()

  await done(db)
  const order = smtp.mails.flatMap(({ recipients }) => recipients)
  // The workers may send some more before one of them looks the users up.
  t.ok(order.indexOf(pupil.email) < 20, `the mail of a user is number ${order.indexOf(pupil.email) + 1} of 62`)
  const [first, second] = order.flatMap((email, i) => email === invited.email ? [i] : [])
  t.ok(first! < 20 && second! < 20, `an invited user's own invitation goes first: ${first! + 1}, ${second! + 1}`)
})

t.test('invitations are not late as long as mails go out, and are once none does', async (t) => {
  const { db } = await newDatabase(t)
  const { id: userId } = await newUser(db)
  const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)
  const mail = { kind: 'invitation', userId, requestId: 'import', createdAt: ago(30) } as const
  await db.mail.createMany({ data: [{ ...mail, dueAt: null, sentAt: ago(1) }, { ...mail, dueAt: ago(30) }] })
  const state = async () => outboxState(await waitingInAll(db))

  t.match(await state(), { value: 'waiting' })

  await db.mail.updateMany({ where: { sentAt: { not: null } }, data: { sentAt: ago(6) } })
  t.match(await state(), { value: 'delayed', reason: '1 mail, the oldest for 6 minutes; no replica has tried them' })

  await db.mail.create({ data: { ...mail, kind: 'password_reset', dueAt: ago(20), createdAt: ago(20) } })
  t.match(await state(), { value: 'delayed', reason: /the oldest for 20 minutes/ }, 'a user waits for a reset')
})

t.test('however often a mail is tried, its link and its Message-ID are the same', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const user = await newUser(db)
  const former = smtp.mails
  smtp.on.taken = refuse(451, 'taken, but the answer is lost')
  await requestReset(db, { username: user.username }, 'request')

  for (const attempts of [1, 2, 3]) {
    const { stop } = await startWorker(t, url, smtp)
    await attempted(db, attempts)
    await stop()
    t.equal(await ownerOfResetToken(db, hashOf(tokenOf(former[0]!))), user.username, `after try ${attempts}`)
    await age(db)
  }
  smtp.on = {}
  await startWorker(t, url, smtp)
  await done(db)

  const of = (what: (mail: ReceivedMail) => unknown) => new Set(smtp.mails.map(what)).size
  t.equal(smtp.mails.length, 4)
  t.same([of(tokenOf), of(({ email }) => email.messageId)], [1, 1])
  t.equal(await ownerOfResetToken(db, hashOf(tokenOf(former[0]!))), user.username)
  const stored = JSON.stringify([await db.mail.findMany(), await db.user.findMany()])
  t.notMatch(stored, tokenOf(former[0]!), 'and the database does not contain it')
})

t.test('a link that was revoked between two tries of its mail stays revoked', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const revocations: Record<string, (username: string) => Promise<unknown>> = {
    revokeTokens: username => revokeTokens(db, username),
    setEmail: username => setEmail(db, username, `new.${username}@school.example`)
  }
  for (const [name, revoke] of Object.entries(revocations)) {
    const { username } = await newUser(db)
    smtp.on.taken = refuse(451, 'taken, but the answer is lost')
    smtp.mails.length = 0
    await requestReset(db, { username }, 'request')
    const { stop } = await startWorker(t, url, smtp)
    await attempted(db, 1)
    await revoke(username)
    smtp.on = {}
    await age(db)
    await done(db)
    await stop()

    const [first, second] = smtp.mails.map(mail => hashOf(tokenOf(mail)))
    t.equal(await ownerOfResetToken(db, first!), undefined, name)
    t.equal(await ownerOfResetToken(db, second!), username, name)
  }
})

t.test('who refuses one recipient after the other refuses the service: the mails wait, then are sent', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const users = await Promise.all([1, 2, 3, 4].map(() => newUser(db)))
  smtp.on.recipient = refuse(550, '5.1.1 User unknown')
  const workers = await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  for (const { username } of users) {
    await requestReset(db, { username }, 'request')
    await until(async () => await db.mail.count({ where: { refusedAt: null } }) === 0, 'it was refused')
  }
  await until(async () => (await waiting(db)).length === 4, 'those that were given up wait again')
  await age(db)
  await until(async () => (await waiting(db)).every(({ attempts, seconds }) => attempts > 1 && seconds < 100))
  const refused = workers.flatMap(({ lines }) => lines).filter(({ code }) => code === 'mail_refused')
  t.equal(refused.length, 2, 'only the first two had looked like wrong addresses')
  for (const line of refused) t.match(line, { level: 'warn', requestId: 'request', cause: /550 5\.1\.1 User unknown$/ })

  smtp.on = {}
  await age(db)
  await done(db)
  t.same(recipientsOf(smtp.mails), users.map(({ email }) => email).sort())
})

t.test('wrong addresses in a row are given up once the server has taken another mail', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const wrong = await Promise.all([1, 2, 3, 4].map(() => newUser(db)))
  const right = await newUser(db)
  smtp.on.recipient = async (recipient) => { if (recipient !== right.email) await refuse(550, '5.1.1 User unknown')() }
  const { lines } = await startWorker(t, url, smtp)
  for (const { username } of wrong) await requestReset(db, { username }, 'request')
  await until(async () => (await waiting(db)).length === 4 && lines.length >= 4, 'all wait')

  await requestReset(db, { username: right.username }, 'request')
  await until(() => smtp.mails.length === 1)
  await age(db)

  await done(db)
  t.match(lines.slice(-4), wrong.map(() => ({ code: 'mail_refused' })))
})

t.test('a mail is given up when it is a day old, with one line in the log, and not before', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [young, old, sendable] = [await newUser(db), await newUser(db), await newUser(db)]
  for (const [user, minutes] of [[young, -2], [old, 2]] as const) {
    await requestReset(db, { username: user.username }, user.username)
    await db.mail.updateMany({
      where: { username: user.username },
      data: { attempts: 100, createdAt: new Date(Date.now() - (24 * 60 + minutes) * 60_000) }
    })
  }
  smtp.on.data = refuse(451)
  const { lines } = await startWorker(t, url, smtp)
  await until(() => lines.length === 2, 'both were tried')
  await until(async () => (await waiting(db)).length === 1, 'one was given up')
  const [given, waits] = [lines.find(({ level }) => level === 'error'), lines.find(({ level }) => level === 'warn')]
  t.match(given, { code: 'mail_given_up', kind: 'password_reset', requestId: old.username, attempt: 101 })
  t.match(waits, { code: 'mail_delayed', requestId: young.username })

  smtp.on = {}
  await requestReset(db, { username: sendable.username }, 'request')
  await db.mail.updateMany({
    where: { username: sendable.username }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) }
  })
  await age(db)
  await done(db)
  await setTimeout(1600)
  t.same(recipientsOf(smtp.mails), [young.email, sendable.email].sort(), 'an old one that can be sent is sent')
  t.equal(lines.filter(({ level }) => level === 'error').length, 1)
})

t.test('after kill -9 of a sending replica its mail goes out once, when the lease is over', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const user = await newUser(db)
  smtp.on.recipient = hang
  const server = await startServer(t, {
    DATABASE_URL: url,
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'https://login.school.example',
    DATA_DIR: newDirectory(t),
    LOG_LEVEL: 'debug'
  })
  const reply = await fetch(`${server.url}/api/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: user.username })
  })
  t.equal(reply.status, 200)
  await until(() => smtp.connections() === 1, 'the mail is being delivered')
  await server.stop('SIGKILL')
  const [mail] = await waiting(db)
  t.equal(mail!.attempts, 1)
  t.ok(mail!.seconds > 60 && mail!.seconds <= 120, `it stays claimed for ${mail!.seconds} s`)

  smtp.on = {}
  const other = await newUser(db)
  const { lines } = await startWorker(t, url, smtp)
  await ask(db, other)
  t.equal(smtp.connections(), 1, 'until then nobody else takes it')
  await age(db)
  await done(db)
  t.same(recipientsOf(smtp.mails), [user.email, other.email].sort())
  const requestId = reply.headers.get('x-request-id')
  t.match(lines.filter(line => line.mail === mail!.id), [{ code: 'mail_sent', requestId, attempt: 2 }])
})

t.test('stop() waits for the delivery under way, and starts no other', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const users = await Promise.all([1, 2].map(() => newUser(db)))
  for (const { username } of users) await requestReset(db, { username }, 'request')
  smtp.on.data = slow(1000)
  const { stop } = await startWorker(t, url, smtp)
  await until(() => smtp.connections() === 1, 'a delivery is under way')
  await stop()
  t.equal(smtp.mails.length, 1)
  t.match(await waiting(db), [{ attempts: 0 }])
})

t.test('an account gets at most three mails an hour, by whatever name and however concurrently', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { username, email } = await newUser(db)
  const workers = await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  await Promise.all(Array.from({ length: 10 }, (_, i) => requestReset(db, i % 2 ? { username } : { email }, 'request')))
  await done(db)
  t.same(recipientsOf(smtp.mails), [email, email, email])
  t.equal(await db.mail.count(), 3, 'the others vanish')

  await requestReset(db, { username }, 'a little later')
  await done(db)
  t.equal(smtp.mails.length, 3)
  await db.$executeRaw`UPDATE mails SET created_at = created_at - interval '61 minutes'`
  await requestReset(db, { username }, 'an hour later')
  await done(db)
  await Promise.all(workers.map(({ stop }) => stop()))
  t.equal(smtp.mails.length, 4)
})

t.test('after each revocation the account gets three mails again, and their newest link works', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const user = await newUser(db)
  const { username } = user
  await startWorker(t, url, smtp)
  const newest = (): string => hashOf(tokenOf(smtp.mails.at(-1)!))
  const change = { passwordHash: 'hash', requestId: 'request' }
  const askFour = async (sent: string): Promise<void> => {
    const before = smtp.mails.length
    for (let i = 0; i < 4; i++) await requestReset(db, { username }, 'request')
    await done(db)
    const subjects = smtp.mails.slice(before).map(({ email }) => email.subject)
    t.equal(subjects.filter(subject => subject === 'Set a new password').length, 3, sent)
    t.equal(await ownerOfResetToken(db, newest()), username, sent)
  }
  await askFour('at first')
  const revocations: Record<string, () => Promise<unknown>> = {
    revokeTokens: () => revokeTokens(db, username),
    'disable and enable': async () => await disable(db, username) && await enable(db, username),
    setPassword: () => setPassword(db, username, 'hash'),
    resetPassword: () => redeemResetToken(db, newest(), change)
  }
  for (const [name, revoke] of Object.entries(revocations)) {
    const link = newest()
    t.ok(await revoke(), name)
    t.equal(await ownerOfResetToken(db, link), undefined, `${name} voids links`)
    await done(db)
    const announced = smtp.mails.at(-1)!.email.subject === 'Your password was changed'
    t.equal(announced, name.endsWith('Password'), 'beyond the cap, too')
    await askFour(`after ${name}`)
  }
})

t.test('a mail that waits during a revocation goes out with a valid link, and counts', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { username } = await newUser(db)
  smtp.on.data = refuse(451)
  await requestReset(db, { username }, 'request')
  await startWorker(t, url, smtp)
  await attempted(db, 1)
  await revokeTokens(db, username)
  smtp.on = {}
  for (let i = 0; i < 3; i++) await requestReset(db, { username }, 'request')
  await age(db)
  await done(db)
  t.equal(smtp.mails.length, 3)
  t.equal(await ownerOfResetToken(db, hashOf(tokenOf(smtp.mails.at(-1)!))), username)
})

t.test('a new role revokes no link, sent or being sent, and its mails still count', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { username } = await newUser(db)
  await startWorker(t, url, smtp)
  for (let i = 0; i < 2; i++) await requestReset(db, { username }, 'request')
  await done(db)
  t.ok(await setRole(db, username, 'TEACHER'))
  t.equal(await ownerOfResetToken(db, hashOf(tokenOf(smtp.mails[1]!))), username)
  smtp.on.data = async () => { await setRole(db, username, 'HEAD') }
  for (let i = 0; i < 2; i++) await requestReset(db, { username }, 'request')
  await done(db)
  t.equal(smtp.mails.length, 3)
  t.equal(await ownerOfResetToken(db, hashOf(tokenOf(smtp.mails[2]!))), username)
})

t.test('an older mail that still waits goes out before a newer one, so the newest link is valid', async (t) => {
  const { smtp, db, user: { username, email } } = await newDelayed(t)
  await requestReset(db, { email }, 'second')
  await sendsAnother(db, smtp)
  t.equal(smtp.mails.length, 1, 'it waits for the first')
  await age(db)
  await done(db)
  t.equal(smtp.mails.length, 3)
  t.equal(await ownerOfResetToken(db, hashOf(tokenOf(smtp.mails[2]!))), username)
})

t.test('a reset mail that still waits is dropped when the password changes', async (t) => {
  const { smtp, db, user: { username } } = await newDelayed(t)
  await setPassword(db, username, 'a hash')
  await age(db)
  await done(db)
  t.same(smtp.mails.map(({ email }) => email.subject), ['Your password was changed'])
})

t.test('an account that is disabled or deleted while its mail waits gets none', async (t) => {
  for (const end of [
    async (db: PrismaClient, id: number) => await db.user.update({ where: { id }, data: { disabledAt: new Date() } }),
    async (db: PrismaClient, id: number) => await db.user.delete({ where: { id } })
  ]) {
    const { smtp, db, user } = await newDelayed(t)
    await end(db, user.id)
    await age(db)
    await until(async () => await db.mail.count() === 0, 'the row is gone')
    t.same(smtp.mails, [])
  }
})

/** A way to PostgreSQL that can be cut. */
async function startCutter (t: Test, databaseUrl: string): Promise<{ url: string, cut: () => void, mend: () => void }> {
  const network = await startNetwork(t, postgres.port)
  const cut = (): void => {
    network.serverPort = NOBODY
    network.tear()
  }
  const mend = (): void => { network.serverPort = postgres.port }
  return { url: databaseUrl.replace(`:${postgres.port}/`, `:${network.port}/`), cut, mend }
}

t.test('an outage of PostgreSQL right after a delivery does not send the mail twice', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [asha, devi] = [await newUser(db), await newUser(db)]
  const way = await startCutter(t, url)
  const { lines, stop } = await startWorker(t, way.url, smtp)
  smtp.on.data = async () => { way.cut() }
  await requestReset(db, { username: asha.username }, 'request')
  await until(() => smtp.mails.length === 1, 'the mail is sent')
  smtp.on = {}
  await age(db)
  await requestReset(db, { username: devi.username }, 'meanwhile')
  await until(() => lines.length === 2, 'it says that it cannot be read, because the database was said to be reachable')
  t.match(lines, [{ level: 'info', code: 'mail_sent' }, { level: 'warn', code: 'outbox_unavailable' }])
  t.equal((await waiting(db)).length, 2)

  way.mend()
  await done(db)
  await until(() => lines.length === 4, 'the end is in the log')
  await stop()
  t.same(recipientsOf(smtp.mails), [asha.email, devi.email].sort())
  t.same((await db.mail.findMany()).map(({ attempts }) => attempts), [1, 1])
  t.same(lines.slice(2).map(({ level }) => level), ['info', 'info'])
})

t.test('finished mails are purged after a day; waiting ones are kept', async (t) => {
  const { db } = await newDatabase(t)
  const { id } = await newUser(db)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const mail = (
    requestId: string, createdAt: Date, dueAt: Date | null
  ): Pick<Mail, 'kind' | 'userId' | 'requestId' | 'createdAt' | 'dueAt'> =>
    ({ kind: 'password_changed', userId: id, requestId, createdAt, dueAt })
  await db.mail.createMany({
    data: [
      mail('old and done', hoursAgo(25), null),
      mail('young and done', hoursAgo(23), null),
      mail('old and waiting', hoursAgo(25), hoursAgo(-1))
    ]
  })
  t.equal(await deleteOldMails(db), false)
  t.same((await db.mail.findMany()).map(({ requestId }) => requestId).sort(), ['old and waiting', 'young and done'])
})

t.test('who changes a password again and again is told three times an hour', async (t) => {
  const { db } = await newDatabase(t)
  const { id, username } = await newUser(db)

  for (let i = 0; i < 5; i++) t.ok(await setPassword(db, username, 'hash'))

  t.equal(await db.mail.count({ where: { userId: id, kind: 'password_changed' } }), 3)
})

t.test('an address that is nobody\'s is looked up as a username', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { email } = await newUser(db, { username: 'a.verma@school.example' })
  await startWorker(t, url, smtp)

  await requestReset(db, { email: 'a.verma@school.example' }, 'request')

  await done(db)
  t.same(recipientsOf(smtp.mails), [email])
})

t.test('operators list, retry and drop the mails that wait, and see why, but no text of them', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const auditLog = join(newDirectory(t, { 'audit.log': '' }), 'audit.log')
  const gatehouse = (...args: string[]) => command(args, { DATABASE_URL: url, AUDIT_LOG: auditLog })
  const [asha, ravi] = [await newUser(db), await newUser(db)]
  smtp.on.recipient = refuse(450, 'try again later')
  const { lines } = await startWorker(t, url, smtp)
  for (const { username } of [asha, ravi]) await requestReset(db, { username }, 'request')
  await until(async () => await db.mail.count({ where: { lastFailure: { not: null } } }) === 2, 'both were refused')
  t.match(lines.find(({ code }) => code === 'mail_delayed'), { nextTryAt: Date })

  const { stdout } = await gatehouse('mails', 'list', '--json')
  const waiting = JSON.parse(stdout) as Array<{ id: string, username: string }>
  t.match(waiting, [asha, ravi].map(({ username, email }) => ({
    kind: 'password_reset', username, email, attempts: 1, lastFailure: /450.*try again later/, nextTryAt: /^2\d{3}-/
  })))
  t.notMatch(stdout, /token/)
  t.match(await gatehouse('mails', 'show', waiting[0]!.id), { stdout: /tries: 1, next: in \d s\nlast answer: .*450/ })
  t.match(await gatehouse('mails', 'drop', waiting[0]!.id), { code: 2, stderr: /repeat it with --yes/ })
  // The mail cannot be dropped while it is tried again.
  await until(async () => (await gatehouse('mails', 'drop', waiting[0]!.id, '--yes')).code === 0)
  t.match(JSON.parse(readFileSync(auditLog, 'utf8')), { event: 'mail_dropped', subject: asha.username })

  delete smtp.on.recipient
  t.match(await gatehouse('mails', 'retry'), { stdout: '1 mail will be tried within seconds.\n' })
  await done(db)
  t.same(recipientsOf(smtp.mails), [ravi.email])
  t.match(await gatehouse('mails', 'retry', waiting[1]!.id), { code: 3, stderr: /no mail .* waits/ })
})

t.test('a long refusal is logged in a few hundred characters, without parts of an address', async (t) => {
  const { smtp, url, db } = await newPost(t)
  for (const answerTo of [() => 'a'.repeat(1_000_000), ({ email }: { email: string }) => `${email} `.repeat(100)]) {
    const user = await newUser(db)
    smtp.on.recipient = refuse(450, answerTo(user))
    const worker = await startWorker(t, url, smtp)
    await requestReset(db, { username: user.username }, 'request')
    await until(() => worker.lines.some(({ code }) => code === 'mail_delayed'), 'it was tried')
    await worker.stop()
    const cause = String(worker.lines.find(({ code }) => code === 'mail_delayed')!.cause)
    t.ok(cause.length < 400, `${cause.length} characters`)
    t.match(cause, / 450 (\(address\) )*…$/)
  }
})

t.test('a worker whose lease has expired does not requeue a mail that another one has sent', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const user = await newUser(db)
  let fail: () => void = () => {}
  const first = new Promise<void>((resolve) => { fail = resolve })
  smtp.on.data = async () => {
    smtp.on = {}
    await first
    await refuse(451)()
  }
  await requestReset(db, { username: user.username }, 'request')
  const late = await startWorker(t, url, smtp)
  await until(() => smtp.connections() === 1, 'the first delivery is under way')
  await until(() => smtp.on.data === undefined, 'its data arrived')
  const other = await startWorker(t, url, smtp)
  await age(db)
  await done(db)
  await other.stop()
  t.same(recipientsOf(smtp.mails), [user.email])
  fail()
  await until(() => late.lines.length === 1, 'the first delivery failed')
  await late.stop()
  t.same(await waiting(db), [])
})

t.test('a mail whose server takes minutes to answer stays claimed', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { username } = await newUser(db)
  // Half a minute passes in a tenth of a second.
  const { setInterval } = globalThis
  const faster = mock.method(globalThis, 'setInterval', (run: () => void, ms: number) => setInterval(run, ms / 300))
  t.after(() => faster.mock.restore())
  let answer: () => void = () => {}
  const answered = new Promise<void>((resolve) => { answer = resolve })
  smtp.on.data = () => answered
  await requestReset(db, { username }, 'request')
  await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  await until(() => smtp.connections() === 1, 'it is being delivered')
  await db.$executeRaw`UPDATE mails SET claimed_until = now() + interval '20 seconds'`

  await until(async () => await db.mail.count({ where: { claimedUntil: { gt: new Date(Date.now() + 60_000) } } }) === 1)
  answer()
  await done(db)
  t.equal(smtp.mails.length, 1)
})

t.test('a mail that is being sent is not retried, and cannot be dropped', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { username, email } = await newUser(db)
  smtp.on.data = slow(1500)
  await requestReset(db, { username }, 'request')
  const workers = await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  await until(() => smtp.connections() === 1, 'it is being delivered')
  const [mail] = await waitingMails(db, 1)

  t.equal(await retryNow(db), 0)
  t.notOk(await dropMail(db, mail!.id))

  await done(db)
  await Promise.all(workers.map(({ stop }) => stop()))
  t.same(recipientsOf(smtp.mails), [email])
  t.equal(smtp.connections(), 1, 'nobody else tried')
})

t.test('the previous link stays valid until a newer mail has gone out', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const { username } = await newUser(db)
  await startWorker(t, url, smtp)
  await requestReset(db, { username }, 'first')
  await done(db)
  const first = hashOf(tokenOf(smtp.mails[0]!))
  smtp.on.data = refuse(421)
  await requestReset(db, { username }, 'second')
  await until(async () => (await waiting(db)).some(mail => mail.attempts === 1 && mail.seconds < 100), 'it failed')
  t.equal(await ownerOfResetToken(db, first), username)
  smtp.on = {}
  await age(db)
  await done(db)
  t.equal(await ownerOfResetToken(db, first), undefined, 'the newer one is there')
  t.equal(await ownerOfResetToken(db, hashOf(tokenOf(smtp.mails[1]!))), username)
})

t.test('the link of a mail whose delivery could not be recorded works exactly once', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const user = await newUser(db)
  const way = await startCutter(t, url)
  await startWorker(t, url, smtp).then(async ({ stop }) => {
    await requestReset(db, { username: user.username }, 'first')
    await done(db)
    await stop()
  })
  const { stop } = await startWorker(t, way.url, smtp)
  smtp.on.data = async () => { way.cut() }
  await requestReset(db, { username: user.username }, 'second')
  await until(() => smtp.mails.length === 2, 'the second mail is sent')
  const [first, second] = smtp.mails.map(mail => hashOf(tokenOf(mail))) as [string, string]
  t.equal(await ownerOfResetToken(db, first), user.username, 'nobody knows yet which of both is the newest')
  const uses = await Promise.all(Array.from({ length: 12 }, (_, i) => redeemResetToken(db, i % 2 ? first : second, {
    passwordHash: `hash ${i}`, requestId: 'request'
  })))
  t.equal(uses.filter(name => name !== undefined).length, 1)

  smtp.on = {}
  way.mend()
  await done(db)
  await stop()
  for (const hash of [first, second]) t.equal(await ownerOfResetToken(db, hash), undefined)
  t.same([await hashStored(db, user), await hashPending(db, user)], [null, null])
})

t.test('an unrecorded link is void after a change by a replica of the previous release', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const user = await newUser(db)
  const { stop } = await startWorker(t, url, smtp)
  // Its statement, while the mail is being sent.
  let validBefore: string | undefined
  let pending: string | null = null
  smtp.on.data = async () => {
    pending = await hashPending(db, user)
    validBefore = await ownerOfResetToken(db, pending!)
    await db.$executeRaw`
      UPDATE users SET password_hash = 'changed', token_version = token_version + 1, tokens_revoked_at = now(),
        updated_at = now(), reset_token_hash = NULL
      WHERE id = ${user.id}`
  }
  await requestReset(db, { username: user.username }, 'request')
  await done(db)
  await stop()
  const hash = hashOf(tokenOf(smtp.mails[0]!))
  t.same([pending, validBefore], [hash, user.username])
  t.equal(await ownerOfResetToken(db, hash), undefined)
  t.equal(await redeemResetToken(db, hash, { passwordHash: 'intruder', requestId: 'request' }), undefined)
  t.equal(await hashStored(db, user), null, 'nor is it recorded as sent')
})

t.test('the link lives an hour, and a week where it protects no password, as its mail says', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const invited = await newUser(db, { passwordHash: null })
  const others = await newUser(db)
  await db.mail.create({ data: { kind: 'invitation', userId: invited.id, requestId: 'import' } })
  for (const { username } of [invited, others]) await requestReset(db, { username }, 'request')

  const { stop } = await startWorker(t, url, smtp)
  await done(db)
  await stop()

  const textsFor = ({ email }: { email: string }) =>
    smtp.mails.filter(({ recipients }) => recipients.includes(email)).map(({ email: { text } }) => text)
  const hoursOf = async ({ id }: User) =>
    ((await db.user.findUniqueOrThrow({ where: { id } })).resetTokenExpiresAt!.getTime() - Date.now()) / 3_600_000
  t.match(textsFor(invited), [/works once, for 7 days/, /works once, for 7 days/])
  t.match(textsFor(others), [/works once, for 60 minutes/])
  t.equal(Math.round(await hoursOf(invited)), 7 * 24)
  t.equal(Math.round(await hoursOf(others)), 1)
})

t.test('a mail does not wait behind twenty thousand requests that lead to no mail', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [flooded, owner] = [await newUser(db), await newUser(db)]
  const disabled = await newUser(db, { disabledAt: new Date() })
  const names = ['\'nobody\' || i', `'${flooded.username}'`, `'${disabled.username}'`]
  for (const [n, name] of names.entries()) {
    const rows = n === 0 ? 18_000 : 1000
    await db.$executeRawUnsafe(`
      INSERT INTO mails (kind, username, request_id, due_at) SELECT 'password_reset', ${name}, 'flood', now() - ` +
        `interval '1 hour' FROM generate_series(1, ${rows}) AS i`)
  }
  await db.$executeRaw`INSERT INTO mails (kind, email, request_id, due_at) SELECT 'password_reset', 'nobody' || i ||
    '@x.example', 'flood', now() - interval '1 hour' FROM generate_series(1, 1000) AS i`
  await requestReset(db, { username: owner.username }, 'owner')
  await Promise.all([1, 2].map(() => startWorker(t, url, smtp)))
  await until(() => recipientsOf(smtp.mails).includes(owner.email), 'the owner has a mail', 20_000)
  await done(db)
  t.same(recipientsOf(smtp.mails), [flooded.email, flooded.email, flooded.email, owner.email].sort())
  t.equal(await db.mail.count(), 4)
})

t.test('a request for a link that is being looked up keeps no login from beginning its session', async (t) => {
  const { db } = await newDatabase(t)
  const { id, username } = await newUser(db)
  await requestReset(db, { username }, 'request')
  let resolved: Promise<unknown> | undefined

  await db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE mails IN SHARE ROW EXCLUSIVE MODE`
    resolved = resolveRequests(db)
    await until(async () => (await db.$queryRaw<unknown[]>`SELECT FROM pg_locks JOIN pg_database ON oid = database
      WHERE datname = current_database() AND NOT granted`).length > 0, 'it waits to write the mail')
    // As a session begins.
    t.same(await db.$queryRaw`SELECT id FROM users WHERE id = ${id} FOR KEY SHARE SKIP LOCKED`, [{ id }])
  })
  await resolved
})

t.test('a mail for an account with a locked row delays no other mail', async (t) => {
  const { smtp, url, db } = await newPost(t)
  const [locked, owner] = [await newUser(db), await newUser(db)]
  await requestReset(db, { username: locked.username }, 'locked')
  await requestReset(db, { username: owner.username }, 'owner')
  let stop: () => Promise<void> = async () => {}
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT id FROM users WHERE id = ${locked.id} FOR UPDATE`
    stop = (await startWorker(t, url, smtp)).stop
    await startWorker(t, url, smtp)
    await until(() => smtp.mails.length === 1, 'the other mail is sent')
  }, { timeout: 60_000 })
  t.same(recipientsOf(smtp.mails), [owner.email])
  await until(async () => {
    // Without its lease, both workers may send it.
    await age(db)
    return smtp.mails.length >= 2
  }, 'and then this one')
  await stop()
})

t.end()

import { isUtf8 } from 'node:buffer'
import { read } from 'read'
import * as accounts from '../auth/accounts.js'
import { passwordFault } from '../auth/password-policy.js'
import { createPasswords } from '../auth/passwords.js'
import * as rules from '../auth/rules.js'
import { columnsOf, listed } from '../auth/user-fields.js'
import { accountKey, normalizeEmail, normalizeUsername } from '../auth/username.js'
import { loadConfig, type Config } from '../config/config.js'
import { hasEmbedded, openDatabase } from '../database/database.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { applyMigrations } from '../database/migrations.js'
import { resetBucket } from '../auth/named-buckets.js'
import { withStore } from './buckets/with-redis.js'
import type { Options } from './commands.js'
import { Failure, NotFound, print, table, UsageError } from './outcome.js'
import type { PrismaClient } from '../generated/prisma/client.js'

export async function create ([name = '']: string[], options: Options): Promise<void> {
  mustMatch(name, rules.USERNAME, 'the username', rules.USERNAME_RULE)
  const { email, role = rules.LOWEST_ROLE, type: userType = rules.DEFAULT_USER_TYPE } = options
  if (email !== undefined && !rules.isEmail(email)) throw new UsageError(`--email ${rules.EMAIL_RULE}`)
  mustMatch(role, rules.CODE, '--role', rules.CODE_RULE)
  mustMatch(userType, rules.CODE, '--type', rules.CODE_RULE)
  const username = normalizeUsername(name)

  await withDatabase(async (db, config) => {
    // This check comes before the prompt for the password. A user who is created meanwhile is noticed below.
    if (await db.user.findUnique({ where: { username } })) {
      throw new Failure(`the username ${username} is already in use`)
    }
    const passwordHash = await hashOf(await readPassword(username), config)
    try {
      const { id } = await accounts.createAccount(db, {
        username,
        email: email === undefined ? null : normalizeEmail(email),
        passwordHash,
        passwordTemporary: options.temporary ?? false,
        userType,
        role,
        adpStatus: options['adp-status'] ?? null,
        bookChapterApproverDesignation: options.designation ?? null
      })
      print(options.json, { username, userId: id, userType, role }, () =>
        `Created ${username}, user ${id}, ${userType}, ${role}.\n`)
    } catch (error) {
      if (!(error instanceof accounts.AlreadyTaken)) throw error
      throw new Failure(
        `the username ${username}${email === undefined ? '' : ` or the email ${email}`} is already in use`
      )
    }
  })
}

export async function list (_args: string[], { json, role, disabled }: Options): Promise<void> {
  await withDatabase(async (db) => {
    const where = { ...role !== undefined && { role }, ...disabled && { disabledAt: { not: null } } }
    const users = await db.user.findMany({
      where, select: { id: true, ...columnsOf(listed) }, orderBy: { id: 'asc' }
    })
    print(json, users.map(({ id, ...user }) => ({ userId: id, ...user })), () => users.length === 0
      ? 'No user.\n'
      : table(['id', ...listed.map(({ heading }) => heading)], users.map(user =>
        [user.id, ...listed.map(({ column }) => cellOf(user[column]))])))
  })
}

const cellOf = (value: string | Date | null): string =>
  value instanceof Date ? value.toISOString().slice(0, 10) : value ?? '-'

export async function setPassword ([name = '']: string[], { json }: Options): Promise<void> {
  const username = normalizeUsername(name)
  await withDatabase(async (db, config) => {
    // This check comes before the prompt for the password, so that a typo in the name is noticed early.
    if (!await db.user.findUnique({ where: { username } })) throw new NotFound(`there is no user ${username}`)
    const passwordHash = await hashOf(await readPassword(username), config)
    if (!await accounts.setPassword(db, username, passwordHash)) throw new NotFound(`there is no user ${username}`)
    print(json, { username }, () => `${username} has a new password, and has to log in again everywhere.\n`)
    if (config.redisUrl !== undefined) await refillAccountBucket(username)
  })
}

/**
 * Failed guesses at the old password do not count for the new one. The password is set even if Redis is unavailable.
 */
async function refillAccountBucket (username: string): Promise<void> {
  try {
    await withStore((store, { limits }) => resetBucket(store, bucketOf(limits.policies.account, accountKey(username))))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write('gatehouse: the password is set, but the account\'s bucket was not refilled: ' +
      `${error.message}\n` +
      `Once Redis answers again, run: gatehouse buckets reset account ${username}\n`)
  }
}

export async function setRole ([name = '', role = '']: string[], options: Options): Promise<void> {
  mustMatch(role, rules.CODE, 'the role', rules.CODE_RULE)
  await change(name, options, (db, username) => accounts.setRole(db, username, role), username =>
    `${username} is ${role} now, and has to log in again.`)
}

export const disable = ([name = '']: string[], options: Options): Promise<void> =>
  change(name, options, accounts.disable, username =>
    `${username} cannot log in any more, and every token of this user is refused within a second.`)

export const enable = ([name = '']: string[], options: Options): Promise<void> =>
  change(name, options, accounts.enable, username => `${username} can log in again.`)

export const revokeTokens = ([name = '']: string[], options: Options): Promise<void> =>
  change(name, options, accounts.revokeTokens, username => `Every token of ${username} is refused within a second.`)

async function change (
  name: string,
  { json }: Options,
  act: (db: PrismaClient, username: string) => Promise<boolean>,
  said: (username: string) => string
): Promise<void> {
  const username = normalizeUsername(name)
  await withDatabase(async (db) => {
    if (!await act(db, username)) throw new NotFound(`there is no user ${username}`)
    print(json, { username }, () => `${said(username)}\n`)
  })
}

async function withDatabase (use: (db: PrismaClient, config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig()
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !hasEmbedded(dataDir)) {
    throw new Failure(
      `DATABASE_URL is not set, and there is no embedded database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the ` +
      'service has it. To create an embedded database, start the service or run: gatehouse migrate'
    )
  }
  let database
  try {
    database = await openDatabase(config)
    if (database.embedded) await applyMigrations(database)
    await use(database.prisma, config)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`the database cannot do this: ${(error as Error).message.trim()}`, 1, { cause: error })
  } finally {
    await database?.close()
  }
}

/** Asks twice at a terminal, where the input is not shown. Otherwise it reads the first line of standard input. */
async function readPassword (username: string): Promise<string> {
  const password = process.stdin.isTTY ? await prompt(`Password for ${username}:`) : await readLine()
  const fault = passwordFault(password, username)
  if (fault) throw new UsageError(`the password ${fault}`)
  if (process.stdin.isTTY && await prompt('The same again:') !== password) {
    throw new UsageError('the two passwords differ')
  }
  return password
}

async function prompt (question: string): Promise<string> {
  try {
    return await read({ prompt: question, silent: true, output: process.stderr })
  } catch {
    throw new Failure('no password was given')
  } finally {
    process.stderr.write('\n')
  }
}

async function readLine (): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  // No browser would send such a password, so nobody could log in with it.
  if (!isUtf8(bytes)) throw new UsageError('the password is not UTF-8: a file of it has to be saved as UTF-8')
  return bytes.toString().replace(/^\ufeff/, '').replace(/\r?\n.*/s, '')
}

async function hashOf (password: string, { bcryptCost }: Config): Promise<string> {
  return await (await createPasswords({ cost: bcryptCost, concurrency: 1 })).hash(password)
}

function mustMatch (text: string, pattern: string, what: string, rule: string): void {
  if (!new RegExp(pattern).test(text)) throw new UsageError(`${what} ${rule}`)
}

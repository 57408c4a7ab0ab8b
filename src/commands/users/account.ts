import * as accountChanges from '../../auth/account-changes.js'
import * as accounts from '../../auth/accounts.js'
import * as passwordChanges from '../../auth/password-changes.js'
import * as rules from '../../auth/rules.js'
import { accountKey, normalizeEmail, normalizeUsername } from '../../auth/username.js'
import { pluralize } from '../../base/text.js'
import { EMAIL_RULE, isEmail } from '../../mail/addresses.js'
import type { Config } from '../../config/config.js'
import { bucketOf } from '../../limiter/bucket/key.js'
import { resetBuckets } from '../../limiter/operators/bucket-views.js'
import { audit, type Action } from '../audit.js'
import { withStore } from '../buckets/with-store.js'
import { confirm } from '../confirmation.js'
import type { CommonFlags } from '../options.js'
import { Failure, noUser, print, UsageError } from '../output.js'
import { mustFindUser } from './find-user.js'
import { withDatabase } from './with-database.js'
import { hashOf, readPassword } from './password.js'
import type { Prisma, PrismaClient, User } from '../../../prisma/client.js'

type Transaction = Prisma.TransactionClient

interface NewUser extends CommonFlags {
  email?: string
  role?: string
  type?: string
  'adp-status'?: string
  designation?: string
  temporary?: boolean
}

export async function create (options: NewUser, name: string): Promise<void> {
  mustMatch(name, rules.USERNAME, 'the username', rules.USERNAME_RULE)
  const { email, role = rules.LOWEST_ROLE, type: userType = rules.DEFAULT_USER_TYPE } = options
  if (email !== undefined && !isEmail(email)) throw new UsageError(`--email ${EMAIL_RULE}`)
  mustMatch(role, rules.ROLE_OR_TYPE, '--role', rules.ROLE_OR_TYPE_RULE)
  mustMatch(userType, rules.ROLE_OR_TYPE, '--type', rules.ROLE_OR_TYPE_RULE)
  const username = normalizeUsername(name)

  await withDatabase(async (db, config) => {
    // This check comes before the prompt for the password. A user who is created meanwhile is noticed below.
    if (await db.user.findUnique({ where: { username } })) {
      throw new Failure(`the username ${username} is already in use`)
    }
    const passwordHash = await hashOf(await readPassword(username), config)
    try {
      const created = await accounts.createAccount(db, {
        username,
        email: email === undefined ? null : normalizeEmail(email),
        passwordHash,
        passwordTemporary: options.temporary ?? false,
        userType,
        role,
        adpStatus: options['adp-status'] ?? null,
        bookChapterApproverDesignation: options.designation ?? null
      })
      const { id } = created
      audit(config, { event: 'user_created', ...subjectOf(created), role, after: accessOf(created) })
      const emailAlsoOf = await accounts.sharersOf(db, created)
      print(options.json, { username, userId: id, userType, role, emailAlsoOf }, () =>
        `Created ${username}, user ${id}, ${userType}, ${role}.${saidOf(emailAlsoOf)}\n`)
    } catch (error) {
      if (!(error instanceof accounts.AlreadyTaken)) throw error
      throw new Failure(`the username ${username} is already in use`)
    }
  })
}

export async function setPassword ({ json }: CommonFlags, name: string): Promise<void> {
  const username = normalizeUsername(name)
  await withDatabase(async (db, config) => {
    // This check comes before the prompt for the password, so that a typo in the name is noticed early.
    const user = await mustFindUser(db, username)
    const passwordHash = await hashOf(await readPassword(username), config)
    if (!await passwordChanges.setPassword(db, username, passwordHash)) throw noUser(username)
    audit(config, { event: 'authn_password_change', ...subjectOf(user) })
    print(json, { username }, () => `${username} has a new password, and has to log in again everywhere.\n`)
    if (config.redisUrl !== undefined) await refillAccountBucket(config, username, 'the password is set')
  })
}

/**
 * Failed guesses at the old password do not count for the new one, or for the next account of this name.
 *
 * @param done what was done even if Redis is unavailable
 */
async function refillAccountBucket (config: Config, username: string, done: string): Promise<void> {
  try {
    await withStore(config, (store, limits) =>
      resetBuckets(store, [[bucketOf(limits.policies.account, accountKey(username))]]))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`gatehouse: ${done}, but the account's bucket was not refilled: ${error.message}\n` +
      `Once Redis answers again, run: gatehouse buckets reset account ${username}\n`)
  }
}

export async function setRole (options: CommonFlags, name: string, role: string): Promise<void> {
  mustMatch(role, rules.ROLE_OR_TYPE, 'the role', rules.ROLE_OR_TYPE_RULE)
  const eventOf = ({ role: before }: User): Action =>
    ({ event: 'privilege_permissions_changed', role, before: { role: before }, after: { role } })
  await change(name, options, eventOf, (db, username) => accountChanges.setRole(db, username, role), username =>
    `${username} is ${role} now, and has to log in again.`)
}

export const disable = (options: CommonFlags, name: string): Promise<void> =>
  change(name, options, changesAccess('user_disabled', true), accountChanges.disable, username =>
    `${username} cannot log in any more, and every token of this user is refused within a second.`)

export const enable = (options: CommonFlags, name: string): Promise<void> =>
  change(name, options, changesAccess('user_enabled', false), accountChanges.enable, username =>
    `${username} can log in again.`)

/** Of one user, or of everyone with `all`. */
export async function revokeTokens (
  options: CommonFlags & { all?: boolean, yes?: boolean }, name?: string
): Promise<void> {
  if (name === undefined) return await revokeAllTokens(options)
  if (options.all || options.yes) throw new UsageError('"tokens revoke USER" takes no --all and no --yes')
  await change(name, options, () => ({ event: REVOKED }), accountChanges.revokeTokens, username =>
    `Every token of ${username} is refused within a second.`)
}

/** As all events in the words of OWASP's logging vocabulary. */
const REVOKED = 'authn_token_revoked'

/** The statement writes every user's row, which takes a second for 30,000. */
const REVOKE_ALL_MS = 60_000

/** For a restore or a leaked key. Tokens end whichever key signed them. */
async function revokeAllTokens ({ all, yes, json }: CommonFlags & { all?: boolean, yes?: boolean }): Promise<void> {
  if (!all) throw new UsageError('"tokens revoke" takes USER, or --all')
  await withDatabase(async (db, config) => {
    if (!yes) {
      const users = await db.user.count()
      await confirm(`this ends every token, session and link of ${pluralize(users, 'user')}`, 'nothing was revoked')
    }
    const users = await accountChanges.revokeAllTokens(db, REVOKE_ALL_MS)
    audit(config, { event: REVOKED, users })
    print(json, { users }, () =>
      `Every token and link of ${pluralize(users, 'user')} is refused within a second. Everyone has to log in again.\n`)
  }, REVOKE_ALL_MS)
}

/** Without an address, nothing can be mailed to the user. */
export async function setEmail ({ json }: CommonFlags, name: string, address?: string): Promise<void> {
  if (address !== undefined && !isEmail(address)) throw new UsageError(`the address ${EMAIL_RULE}`)
  const username = normalizeUsername(name)
  const email = address === undefined ? null : normalizeEmail(address)
  await withDatabase(async (db, config) => {
    const user = await lockAndChange(db, username, accountChanges.setEmail, email)
    audit(config, { event: 'user_updated', ...subjectOf(user), before: { email: user.email }, after: { email } })
    const emailAlsoOf = await accounts.sharersOf(db, { id: user.id, email })
    print(json, { username, email, emailAlsoOf }, () =>
      `${username} has ${email === null ? 'no address' : email} now.${saidOf(emailAlsoOf)}\n`)
  })
}

/** A parent's address, or a typo: the operator knows. */
const saidOf = (emailAlsoOf: string[]): string =>
  emailAlsoOf.length === 0 ? '' : ` This is also the address of ${emailAlsoOf.join(', ')}.`

export async function remove ({ json, yes }: CommonFlags & { yes?: boolean }, name: string): Promise<void> {
  const username = normalizeUsername(name)
  await withDatabase(async (db, config) => {
    const user = await mustFindUser(db, username)
    const { id, userType, role } = user
    const what = `this deletes ${username}, user ${id}, ${userType}, ${role}, and everything of theirs`
    if (!yes) await confirm(what, 'nobody was deleted')
    if (!await accounts.deleteAccount(db, username)) throw noUser(username)
    audit(config, { event: 'user_deleted', ...subjectOf(user), before: accessOf(user) })
    print(json, { username, userId: id }, () =>
      `${username} is deleted, and every token of this user is refused within a second.\n`)
    if (config.redisUrl !== undefined) await refillAccountBucket(config, username, 'the account is deleted')
  })
}

async function change (
  name: string,
  { json }: CommonFlags,
  eventOf: (before: User) => Action,
  act: (db: Transaction, username: string) => Promise<boolean>,
  said: (username: string) => string
): Promise<void> {
  const username = normalizeUsername(name)
  await withDatabase(async (db, config) => {
    const before = await lockAndChange(db, username, act)
    audit(config, { ...eventOf(before), ...subjectOf(before) })
    print(json, { username }, () => `${said(username)}\n`)
  })
}

/** @returns the user before the change */
async function lockAndChange <Args extends unknown[]> (
  db: PrismaClient, username: string, act: (db: Transaction, username: string, ...args: Args) => Promise<boolean>,
  ...args: Args
): Promise<User> {
  return await db.$transaction(async (tx) => {
    // Another change of this user has to come before what is read, or after the own change.
    await tx.$executeRaw`SELECT FROM users WHERE username = ${username} FOR UPDATE`
    const user = await mustFindUser(tx, username)
    if (!await act(tx, username, ...args)) throw noUser(username)
    return user
  })
}

const subjectOf = ({ username, id }: User) => ({ subject: username, subjectId: id })

const accessOf = ({ role, userType, email, disabledAt }: User) =>
  ({ role, userType, email, disabled: disabledAt !== null })

const changesAccess = (event: string, disabled: boolean) => ({ disabledAt }: User): Action =>
  ({ event, before: { disabled: disabledAt !== null }, after: { disabled } })

function mustMatch (text: string, pattern: string, what: string, rule: string): void {
  if (!new RegExp(pattern).test(text)) throw new UsageError(`${what} ${rule}`)
}

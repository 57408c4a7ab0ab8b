import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { accountKey, normalizeUsername } from '../auth/username.js'
import type { Config } from '../config.js'
import { serviceUnavailable, tooManyRequests, unauthorized } from '../errors.js'
import type { User } from '../generated/prisma/client.js'
import { StoreUnavailable, type Verdict } from '../limiter/bucket.js'
import { found, hashed, ifDecidable } from './unavailable.js'
import { basicData, BasicData, success, text } from './user-data.js'

const Credentials = Type.Object({
  username: Type.String({ ...text, minLength: 1, maxLength: 255 }),
  password: Type.String({ ...text, minLength: 1 })
}, { additionalProperties: false })

/** Account throttle → user lookup → password → token. */
const login: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const { account } = config.limits.policies

  app.post('/api/auth/login', {
    config: { limit: 'login', hashes: true },
    schema: {
      body: Credentials,
      response: { 200: success(Type.Object({ ...BasicData.properties, token: Type.String() })) }
    }
  }, async (request) => {
    const { username, password } = request.body
    const key = accountKey(username)
    await takeForFailure(request, key)
    const [user, matches] = await compared(username, password).catch(async (error) => {
      // Nobody has learned whether the password is right, so it is no failure.
      await giveBack(key)
      throw error
    })
    // A name that is nobody's is not in the log: it may be a password, typed into the wrong field.
    const who = user && { actor: user.username, userId: user.id }
    request.audit = { event: user && matches ? 'authn_login_success' : 'authn_login_fail', ...who }
    if (!user || !matches) throw unauthorized('Invalid username or password')

    await giveBack(key)
    if (app.passwords.outdated(user.passwordHash!)) await rehash(user.id, user.passwordHash!, password)
    return { success: true as const, status: 200 as const, data: { ...basicData(user), token: app.issueToken(user) } }
  })

  async function compared (username: string, password: string): Promise<[User | null, boolean]> {
    const user = await found(app.db.user.findUnique({ where: { username: normalizeUsername(username) } }))
    // The password is compared before anything is said of the account, so that every failure takes the same time.
    const matches = await hashed(app.passwords.verify(password, user?.passwordHash))
    return [user, matches && !user?.disabledAt]
  }

  /**
   * Every login takes a token of its account before the password is compared, so that of many at once no more are
   * tried than there are tokens; one that does not fail gives it back.
   */
  async function takeForFailure (request: FastifyRequest, key: string): Promise<void> {
    let verdict: Verdict
    try {
      verdict = await app.buckets.take(account, key)
    } catch (error) {
      throw error instanceof StoreUnavailable ? serviceUnavailable(1, error) : error
    }
    app.metrics.decisions.inc({ policy: account.name, outcome: verdict.allowed ? 'admitted' : 'refused' })
    if (verdict.allowed) return
    request.policy = account.name as 'account'
    request.refusedForMs = verdict.waitMs
    request.audit = { event: 'authn_login_fail_max', actor: key }
    throw tooManyRequests(verdict)
  }

  const giveBack = (key: string): Promise<void> => ifDecidable(app.buckets.take(account, key, -1))

  /** A login is not refused because its hash could not be renewed; the next one will try again. */
  async function rehash (id: number, outdatedHash: string, password: string): Promise<void> {
    try {
      const passwordHash = await app.passwords.hash(password)
      // Only over the hash that was verified: a password that was changed meanwhile stays changed.
      await app.db.user.updateMany({ where: { id, passwordHash: outdatedHash }, data: { passwordHash } })
    } catch (error) {
      app.log.warn({ err: error, userId: id }, 'password hash not renewed')
    }
  }
}

export default login

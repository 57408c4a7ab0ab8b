import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createAccountThrottle, type Attempt } from '../auth/account-throttle.js'
import { isKnownAddress, rememberAddress } from '../auth/known-addresses.js'
import { BasicData, basicData, exampleUser } from '../auth/user-fields.js'
import { accountKey, normalizeUsername } from '../auth/username.js'
import { asRefusal, tooManyRequests, unauthorized } from '../base/errors.js'
import type { User } from '../generated/prisma/client.js'
import type { RequestRecord } from '../base/request-record.js'
import type { Operation } from '../openapi/operations.js'
import { places } from './paths.js'
import { ok, success } from './success.js'
import { text } from './user-data.js'

const Credentials = Type.Object({
  username: Type.String({ ...text, minLength: 1, maxLength: 255 }),
  password: Type.String({ ...text, minLength: 1 })
}, { additionalProperties: false })

const WRONG = 'Invalid username or password'

const operation: Operation = {
  operationId: 'login',
  summary: 'Log in',
  description: 'Failed logins also take from the buckets `account` and `account-address` of the username.',
  tag: 'Login',
  requests: { login: { username: 'asha', password: 'correct horse battery' } },
  success: {
    description: 'The user, and a token of one hour.',
    example: ok({ ...exampleUser, token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl' })
  },
  refusals: {
    401: { wrong: unauthorized(WRONG) },
    429: { account: tooManyRequests({ capacity: 10, waitMs: 3_600_000 }, {}) }
  }
}

/** Known address → account throttle → user lookup → password → token. */
const login: FastifyPluginAsyncTypebox = async (app) => {
  const throttle = createAccountThrottle(app.buckets, app.limits)
  const { refusalBy, undecided } = app.decisionsUnder('account')

  app.post(places.login.urls[0], {
    config: { limit: places.login.limit, hashes: true, operation },
    schema: {
      body: Credentials,
      response: { 200: success(Type.Object({ ...BasicData.properties, token: Type.String() })) }
    }
  }, async (request) => {
    const { password } = request.body
    const username = normalizeUsername(request.body.username)
    const client = request.client!.key
    const known = await isKnownAddress(app.db, username, client)
    const attempt = { account: accountKey(username), client, known }
    await takeForFailure(request, attempt)
    const [user, matches] = await compared(request, username, password).catch(async (error) => {
      // The password was not checked, so this is not a failed login.
      await throttle.giveBack(attempt)
      throw error
    })
    // A username that does not exist is not logged, because it may be a password typed into the wrong field.
    const who = user && { actor: user.username, userId: user.id }
    if (!user || !matches) throw unauthorized(WRONG, { event: 'authn_login_fail', ...who })
    request.record = { ...request.record, event: 'authn_login_success', ...who }

    await throttle.giveBack(attempt)
    await remember(user, client)
    if (app.passwords.outdated(user.passwordHash!)) await rehash(user.id, user.passwordHash!, password)
    return ok({ ...basicData(user), token: app.issueToken(user) })
  })

  async function compared (
    request: FastifyRequest, username: string, password: string
  ): Promise<[User | null, boolean]> {
    const user = await app.db.user.findUnique({ where: { username } })
    const hash = user?.disabledAt ? null : user?.passwordHash
    return [user, await app.passwords.verify(password, hash, () => app.leaveHashQueue(request))]
  }

  /**
   * Every login takes its tokens before the password is compared, so that parallel logins cannot try more passwords
   * than there are tokens. A login that does not fail returns its tokens.
   */
  async function takeForFailure (request: FastifyRequest, attempt: Attempt): Promise<void> {
    const verdict = await throttle.take(attempt).catch((error) => {
      undecided()
      throw error
    })
    const { policy, key } = verdict
    const record: RequestRecord = { policy, event: 'authn_login_fail_max', actor: attempt.account }
    const refusal = refusalBy(request, key, verdict, record)
    if (refusal) throw asRefusal(refusal)
  }

  let remembering = true

  /** A login also succeeds if its address could not be remembered. The next login will try again. */
  async function remember (user: User, client: string): Promise<void> {
    try {
      await rememberAddress(app.db, user, client)
      remembering = true
    } catch (error) {
      if (remembering) {
        const details = { code: 'known_addresses_unavailable', err: error }
        app.log.warn(details, 'addresses of logins cannot be remembered: known ones stay known')
      }
      remembering = false
    }
  }

  /** A login also succeeds if its hash could not be renewed. The next login will try again. */
  async function rehash (id: number, outdatedHash: string, password: string): Promise<void> {
    try {
      const passwordHash = await app.passwords.hash(password)
      // Only the verified hash is replaced, so a password that was changed meanwhile stays changed.
      await app.db.user.updateMany({ where: { id, passwordHash: outdatedHash }, data: { passwordHash } })
    } catch (error) {
      app.log.warn({ code: 'hash_not_renewed', err: error, userId: id }, 'password hash not renewed')
    }
  }
}

export default login

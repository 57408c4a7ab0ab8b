import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Attempt } from '../auth/account-throttle.js'
import { originOfLogin, type Origin } from '../auth/login-records.js'
import { accountKey, normalizeUsername } from '../auth/username.js'
import { asRefusal, tooManyRequests, unauthorized, type Refusal } from '../base/errors.js'
import type { AuditEvent, RequestRecord } from '../base/request-record.js'
import { NotInEncoding } from '../database/outage.js'
import type { User } from '../../prisma/client.js'
import { text } from './user-data.js'

export const Username = Type.String({ ...text, minLength: 1, maxLength: 255 })
export const Password = Type.String({ ...text, minLength: 1 })

export const wrongCredentials = (record: RequestRecord = {}): Refusal =>
  unauthorized('Invalid username or password', record)

/** What operations that check a password can also answer. */
export const refusalsOfCredentials = {
  401: { wrong: wrongCredentials() },
  429: { account: tooManyRequests({ capacity: 10, waitMs: 3_600_000 }, {}) }
}

type CheckCredentials = (
  request: FastifyRequest, credentials: { username: string, password: string }, failure: AuditEvent
) => Promise<User>

/** A name that the database cannot hold is that of no user. */
const nobody = <Nobody>(value: Nobody) => (error: unknown): Nobody => {
  if (error instanceof NotInEncoding) return value
  throw error
}

/**
 * Owner and known address → account throttle → user lookup → password. Every operation that takes a password without a
 * token uses it, so all of them share the buckets and the time of a failure.
 *
 * @returns a function that throws a refusal unless the password is right
 */
export function createCredentialsCheck (app: FastifyInstance): CheckCredentials {
  const { accountThrottle: throttle } = app
  const { refusalBy, undecided } = app.decisionsUnder('account')

  return async function check (request, { username: typed, password }, failure) {
    const username = normalizeUsername(typed)
    const client = request.client!.key
    const { owner, known } = await originOfLogin(app.db, username, client)
      .catch(nobody({ owner: undefined, known: false }))
    const attempt = { account: accountKey(username), client, known }
    await takeForFailure(request, attempt, owner)
    const [user, matches] = await compared(request, username, password).catch(async (error) => {
      // The password was not checked, so this is not a failure.
      await throttle.giveBack(attempt)
      throw error
    })
    // A username that does not exist is not logged, because it may be a password typed into the wrong field.
    const who = user && { actor: user.username, userId: user.id }
    if (!user || !matches) throw wrongCredentials({ event: failure, ...who })
    request.record = { ...request.record, ...who }
    await throttle.giveBack(attempt)
    return user
  }

  async function compared (
    request: FastifyRequest, username: string, password: string
  ): Promise<[User | null, boolean]> {
    const user = await app.db.user.findUnique({ where: { username } }).catch(nobody(null))
    const hash = user?.disabledAt ? null : user?.passwordHash
    return [user, await app.passwords.verify(password, hash, () => app.leaveHashQueue(request))]
  }

  /**
   * The tokens are taken before the password is compared, so that parallel requests cannot try more passwords than
   * there are tokens. A request that does not fail returns its tokens.
   */
  async function takeForFailure (
    request: FastifyRequest, attempt: Attempt, owner: Origin['owner']
  ): Promise<void> {
    const verdict = await throttle.take(attempt).catch((error) => {
      undecided()
      throw error
    })
    const { policy, key } = verdict
    const record: RequestRecord = { policy, event: 'authn_login_fail_max', actor: attempt.account, ...owner }
    const refusal = refusalBy(request, key, verdict, record)
    if (refusal) throw asRefusal(refusal)
  }
}

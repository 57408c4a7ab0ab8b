import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Attempt } from '../auth/account-throttle.js'
import { originOfLogin, type Origin } from '../auth/login-records.js'
import { accountKey, normalizeUsername } from '../auth/username.js'
import {
  asRefusal, codeRequired, passwordTemporary, tooManyRequests, unauthorized, type Refusal
} from '../base/errors.js'
import type { AuditEvent, RequestRecord } from '../base/request-record.js'
import { NotInEncoding } from '../database/outage.js'
import { notify } from '../mail/account-mails.js'
import { checkCode } from '../second-factor/factors.js'
import type { User } from '../../prisma/client.js'
import { text } from './text-schemas.js'

export const Username = Type.String({ ...text, minLength: 1, maxLength: 255 })
export const Password = Type.String({ ...text, minLength: 1 })
export const FactorCode = Type.String({
  description: 'Of a user with a second factor: the six digits that the authenticator shows, or a recovery code.'
})

export const wrongCredentials = (record: RequestRecord = {}): Refusal =>
  unauthorized('Invalid username or password', record)

/** The refusal of a user who has a second factor, without a code; and of one whose role needs a factor. */
const codeMissing = (record?: RequestRecord): Refusal => codeRequired('must be a code of your second factor', record)
const factorMissing = (record?: RequestRecord): Refusal =>
  codeRequired('needs a second factor, which a link in your mails sets up', record)

/** What operations that check a password can also answer. */
export const refusalsOfCredentials = {
  401: { wrong: wrongCredentials() },
  403: { code: codeMissing() },
  429: { account: tooManyRequests({ capacity: 10, waitMs: 3_600_000 }, {}) }
}

/** What a login can also answer. */
export const refusalsOfLogin = {
  ...refusalsOfCredentials, 403: { temporary: passwordTemporary(), code: codeMissing(), factor: factorMissing() }
}

/** A user, and whether the login had a code of a second factor. */
interface Checked { user: User, withCode: boolean }

type CheckCredentials = (
  request: FastifyRequest, credentials: { username: string, password: string, code?: string }
) => Promise<Checked>

/** A name that the database cannot hold is that of no user. */
const ifNotStorable = <Nobody>(value: Nobody) => (error: unknown): Nobody => {
  if (error instanceof NotInEncoding) return value
  throw error
}

/**
 * Owner and known address → account throttle → user lookup → password → code of the second factor. Every operation that
 * takes a password without a token uses it, so all of them share the buckets and the time of a failure.
 *
 * @param purpose a temporary password can only be changed, and who has to get a second factor cannot log in without it
 * @returns a function that throws a refusal unless password and code are right
 */
export function createCredentialsCheck (app: FastifyInstance, purpose: 'login' | 'change'): CheckCredentials {
  const { accountThrottle: throttle, secondFactors } = app
  const failure: AuditEvent = purpose === 'login' ? 'authn_login_fail' : 'authn_password_change_fail'
  const { recordVerdict, undecided } = app.decisionsUnder('account')

  return async function check (request, { username: typed, password, code }) {
    const username = normalizeUsername(typed)
    const client = request.client!.key
    const { owner, known } = await originOfLogin(app.db, username, client)
      .catch(ifNotStorable({ owner: undefined, known: false }))
    const attempt = { accountKey: accountKey(username), client, known }
    await takeForFailure(request, attempt, owner)
    const undoing = async (error: unknown): Promise<never> => {
      // The credentials were not checked, so this is not a failure.
      await throttle.giveBack(attempt)
      throw error
    }
    const [user, matches] = await compared(request, username, password).catch(undoing)
    // A username that does not exist is not logged, because it may be a password typed into the wrong field.
    const who = user && { actor: user.username, userId: user.id }
    if (!user || !matches) throw wrongCredentials({ event: failure, ...who })
    Object.assign(request.record, who)
    const refusal = await refusalAfterPassword(request, user, code).catch(undoing)
    if (refusal?.statusCode !== 401) await throttle.giveBack(attempt)
    if (refusal) throw refusal
    return { user, withCode: user.secondFactorSince !== null }
  }

  /** Only the right password learns of these refusals. Without a second factor nothing is asked. */
  async function refusalAfterPassword (
    request: FastifyRequest, user: User, code?: string
  ): Promise<Refusal | undefined> {
    if (purpose === 'login' && user.passwordTemporary) return passwordTemporary({ event: 'authn_password_temporary' })
    if (user.secondFactorSince !== null) return await refusalOfCode(request, user, code)
    if (purpose === 'change' || !secondFactors.isRequired(user.role)) return undefined
    await notify(app.db, 'second_factor', user.id, request.id, request.language.code)
    return factorMissing({ event: 'authn_second_factor_required' })
  }

  async function refusalOfCode (request: FastifyRequest, user: User, code?: string): Promise<Refusal | undefined> {
    const { id: requestId, language: { code: language } } = request
    const outcome = await checkCode(app.db, secondFactors.sealing, user, code, { requestId, language })
    app.metrics.secondFactorCodes.inc({ outcome })
    if (outcome === 'accepted' || outcome === 'recovery') return undefined
    if (outcome === 'none') return codeMissing({ event: 'authn_second_factor_required' })
    return wrongCredentials({ event: failure, secondFactor: outcome })
  }

  async function compared (
    request: FastifyRequest, username: string, password: string
  ): Promise<[User | null, boolean]> {
    const user = await app.db.user.findUnique({ where: { username } }).catch(ifNotStorable(null))
    const hash = !user || user.disabledAt || app.signIn.hasNoPasswordLogin(user) ? null : user.passwordHash
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
    const record: RequestRecord = { policy, event: 'authn_login_fail_max', actor: attempt.accountKey, ...owner }
    const refusal = recordVerdict(request, key, verdict, record)
    if (refusal) throw asRefusal(refusal)
  }
}

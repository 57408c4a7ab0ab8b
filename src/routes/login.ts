import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { replaceHash } from '../auth/accounts.js'
import { recordLogin } from '../auth/login-records.js'
import { beginSession, newSession, type Session } from '../auth/sessions.js'
import { WITH_CODE } from '../auth/tokens.js'
import { BasicData, basicData, exampleUser } from '../auth/user-fields.js'
import type { Config } from '../config/config.js'
import { watchOwnTrouble } from '../database/own-trouble.js'
import type { User } from '../../prisma/client.js'
import type { Operation } from '../openapi/operations.js'
import { Code, createCredentialsCheck, Password, refusalsOfLogin, Username } from './credentials.js'
import { endpoints } from './endpoints.js'
import { ok, success } from './success.js'

const Credentials = Type.Object(
  { username: Username, password: Password, code: Type.Optional(Code) }, { additionalProperties: false }
)

/** The answer to a login, and to a refresh. */
export const UserWithToken = Type.Object({ ...BasicData.properties, token: Type.String() })

export const exampleLogin = ok({ ...exampleUser, token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl' })

const operation: Operation = {
  operationId: 'login',
  summary: 'Log in',
  description: 'Begins a session. Failed logins also take from the buckets `account` and `account-address` of the ' +
    'username. After the right password, a temporary one gets 403 with `details`: the user has to change it first. ' +
    'A user with a second factor gets it without a `code`. A code works once.',
  tag: 'Login',
  requests: {
    login: { username: 'asha', password: 'correct horse battery' },
    withCode: { username: 'asha', password: 'correct horse battery', code: '755224' }
  },
  success: { description: 'The user, and a token of one hour.', example: exampleLogin },
  refusals: refusalsOfLogin
}

/** Credentials → session → token. */
const login: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config: { sessionHours } }) => {
  const check = createCredentialsCheck(app, 'login')
  const { sessions } = app.metrics

  app.post(endpoints.login.urls[0], {
    config: { policy: endpoints.login.policy, hashes: true, counts: 'logins', operation },
    schema: { body: Credentials, response: { 200: success(UserWithToken) } }
  }, async (request) => {
    const { user, withCode } = await check(request, request.body)
    request.record.event = 'authn_login_success'
    const session = await remember(user, request.client!.key, request.headers['user-agent'])
    const { password } = request.body
    if (app.passwords.outdated(user.passwordHash!, password)) await rehash(user.id, user.passwordHash!, password)
    return ok({ ...basicData(user), token: app.issueToken(user, session, withCode ? WITH_CODE : undefined) })
  })

  const trouble = watchOwnTrouble(() => app.states.database.value === 'reachable', (error) => {
    if (!error) return
    const details = { code: 'known_addresses_unavailable', err: error }
    app.log.warn(details, 'logins succeed without a session and last an hour, or their address does not become known')
  })

  /**
   * A login also succeeds if its address or its session cannot be written. The address does not become known then, or
   * the token, which belongs to no session, cannot be refreshed.
   */
  async function remember (user: User, client: string, userAgent?: string): Promise<Session | undefined> {
    const session = sessionHours > 0 ? newSession() : undefined
    const [remembered, begun] = await Promise.allSettled([
      recordLogin(app.db, user, client).catch(unwritten('known_addresses')),
      session && beginSession(app.db, user, session, { client, userAgent }).catch(unwritten('sessions'))
    ])
    const failed = [begun, remembered].find(write => write.status === 'rejected')
    if (failed) trouble.failed(failed.reason)
    else trouble.succeeded()
    if (begun.status === 'rejected') return undefined
    if (session) sessions.inc({ event: 'begun' })
    if (begun.value) sessions.inc({ event: 'replaced' }, begun.value)
    return session
  }

  /** An error such as a timeout does not say what was written. */
  const unwritten = (table: string) => (cause: Error): never => {
    throw new Error(`the table ${table} cannot be written: ${cause.message}`, { cause })
  }

  /** A login also succeeds if its hash could not be renewed. The next login will try again. */
  async function rehash (id: number, outdatedHash: string, password: string): Promise<void> {
    try {
      const passwordHash = await app.passwords.hash(password)
      await replaceHash(app.db, id, outdatedHash, passwordHash)
    } catch (error) {
      app.log.warn({ code: 'hash_not_renewed', err: error, userId: id }, 'password hash not renewed')
    }
  }
}

export default login

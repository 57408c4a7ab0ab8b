import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { replaceHash } from '../auth/password-changes.js'
import { WITH_CODE } from '../auth/tokens.js'
import type { Config } from '../config/config.js'
import type { Operation } from '../openapi/operations.js'
import { FactorCode, createCredentialsCheck, Password, refusalsOfLogin, Username } from './credentials.js'
import { endpoints } from '../openapi/endpoints.js'
import { createLogins, exampleLogin, UserWithToken } from './begin-login.js'
import { success } from './success.js'

const Credentials = Type.Object(
  { username: Username, password: Password, code: Type.Optional(FactorCode) }, { additionalProperties: false }
)

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
const login: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const check = createCredentialsCheck(app, 'login')
  const beginLogin = createLogins(app, config)

  app.post(endpoints.login.urls[0], {
    config: { policy: endpoints.login.policy, hashes: true, counts: 'logins', operation },
    schema: { body: Credentials, response: { 200: success(UserWithToken) } }
  }, async (request) => {
    const { user, withCode } = await check(request, request.body)
    request.record.event = 'authn_login_success'
    const answer = await beginLogin(request, user, withCode ? WITH_CODE : undefined)
    const { password } = request.body
    if (app.passwords.needsRehash(user.passwordHash!, password)) await rehash(user.id, user.passwordHash!, password)
    return answer
  })

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

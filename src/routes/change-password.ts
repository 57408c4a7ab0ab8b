import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { changeOwnPassword } from '../auth/password-changes.js'
import { expectations, passwordFault } from '../auth/password-policy.js'
import { accountKey } from '../auth/username.js'
import { invalidBody } from '../base/errors.js'
import type { Operation } from '../openapi/operations.js'
import {
  FactorCode, createCredentialsCheck, Password, refusalsOfCredentials, Username, wrongCredentials
} from './credentials.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'

const Change = Type.Object(
  { username: Username, currentPassword: Password, code: Type.Optional(FactorCode), newPassword: Type.String() },
  { additionalProperties: false }
)

const done = succeeded({ message: 'Password has been changed. Please log in.' })

const operation: Operation = {
  operationId: 'changePassword',
  summary: 'Change the password',
  description: 'Needs no token, so it also replaces a temporary password. It takes from the same buckets as a login. ' +
    'All tokens and sessions of the user end.',
  tag: 'Accounts',
  requests: {
    change: { username: 'asha', currentPassword: 'correct horse battery', newPassword: 'another horse battery' }
  },
  success: { description: 'The password is the new one.', example: done },
  refusals: {
    400: { password: invalidBody({ field: 'newPassword', message: 'must have at least 8 characters' }) },
    ...refusalsOfCredentials
  }
}

const changePassword: FastifyPluginAsyncTypebox = async (app) => {
  for (const url of endpoints.changePassword.urls) {
    const { policy } = endpoints.changePassword
    const config = { policy, hashes: true, counts: 'passwordChanges', operation } as const
    app.post(url, { ...changeWith(app), config })
  }
}

/**
 * The schema and the handler of the operation, for its routes. The new password is checked first. This reveals nothing,
 * because it does not depend on the account.
 */
export function changeWith (app: FastifyInstance) {
  const check = createCredentialsCheck(app, 'change')
  const { accountThrottle: throttle } = app

  return {
    schema: { body: Change, response: { 200: success(Type.Object({ message: Type.String() })) } },

    async handler (request: FastifyRequest<{ Body: Static<typeof Change> }>) {
      const { username, currentPassword: password, code, newPassword } = request.body
      request.record.event = 'authn_password_change_fail'
      const fault = isSame(newPassword, password) ? expectations.same : passwordFault(newPassword, username)
      if (fault) throw invalidBody({ field: 'newPassword', message: fault })
      const { user } = await check(request, { username, password, ...code !== undefined && { code } })

      const passwordHash = await app.passwords.hash(newPassword)
      const client = request.client!.key
      const { id: requestId, language: { code: language } } = request
      const changed = await changeOwnPassword(app.db, user, { passwordHash, client, requestId, language })
      // Another change came first, so the password that was checked is no longer the current one.
      if (!changed) throw wrongCredentials()
      request.record.event = 'authn_password_change'
      app.metrics.sessions.inc({ event: 'password' }, changed.sessions)
      // Failed guesses at the old password do not count for the new one.
      await throttle.reset(accountKey(user.username), client)
      return done
    }
  }
}

const isSame = (one: string, other: string): boolean => one.normalize('NFC') === other.normalize('NFC')

export default changePassword

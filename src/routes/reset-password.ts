import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ownerOfResetToken, redeemResetToken } from '../auth/password-changes.js'
import { passwordFault } from '../auth/password-policy.js'
import { linkTokenHash } from '../mail/link-tokens.js'
import { accountKey } from '../auth/username.js'
import { invalidBody } from '../base/errors.js'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'

const NewPassword = Type.Object({
  // All invalid tokens get the same answer, for example an array or an expired token.
  token: Type.Unknown(),
  newPassword: Type.String()
}, { additionalProperties: false })

const badToken = { field: 'token', message: 'must be the one of the newest mail, not used yet and not expired' }

const done = succeeded({ message: 'Password has been reset. Please log in.' })

const operation: Operation = {
  operationId: 'resetPassword',
  summary: 'Set a new password',
  description: 'The token is the one of the newest reset mail. All tokens of the user are revoked.',
  tag: 'Accounts',
  requests: { reset: { token: 'Zx3vR0d1mXqf9hTt2cLw8sYb5nKj7gAe4uPi6oVs1Qk', newPassword: 'correct horse battery' } },
  success: { description: 'The password is the new one.', example: done },
  refusals: {
    400: {
      token: invalidBody(badToken),
      password: invalidBody({ field: 'newPassword', message: 'must have at least 8 characters' })
    }
  }
}

/** All checks come before the token is used up. */
const resetPassword: FastifyPluginAsyncTypebox = async (app) => {
  const { accountThrottle: throttle } = app

  for (const url of endpoints.resetPassword.urls) {
    app.post(url, {
      config: { policy: endpoints.resetPassword.policy, hashes: true, operation },
      schema: { body: NewPassword, response: { 200: success(Type.Object({ message: Type.String() })) } }
    }, async (request) => {
      const { record, body: { token, newPassword } } = request
      record.event = 'authn_password_change_fail'
      mustBeGood(newPassword)
      const tokenHash = linkTokenHash(token)
      const owner = tokenHash && await ownerOfResetToken(app.db, tokenHash)
      if (!owner) throw invalidBody(badToken)
      record.actor = owner
      mustBeGood(newPassword, owner)

      const passwordHash = await app.passwords.hash(newPassword)
      const client = request.client!.key
      const { id: requestId, language: { code: language } } = request
      const used = await redeemResetToken(app.db, tokenHash, { passwordHash, client, requestId, language })
      if (!used) throw invalidBody(badToken)
      app.metrics.sessions.inc({ event: 'password' }, used.sessions)
      Object.assign(record, { event: 'authn_password_change', userId: used.id })
      // Failed guesses at the old password do not count for the new one.
      await throttle.reset(accountKey(owner), client)
      return done
    })
  }
}

function mustBeGood (newPassword: string, username = ''): void {
  const fault = passwordFault(newPassword, username)
  if (fault) throw invalidBody({ field: 'newPassword', message: fault })
}

export default resetPassword

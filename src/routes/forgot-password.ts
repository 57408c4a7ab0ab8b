import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requestReset } from '../mail/account-mails.js'
import { normalizeEmail, normalizeUsername } from '../auth/username.js'
import { invalidBody } from '../base/errors.js'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'
import { Email, text } from './text-schemas.js'

const Account = Type.Object({
  username: Type.Optional(Type.String({ ...text, minLength: 1, maxLength: 255 })),
  email: Type.Optional(Email)
}, { additionalProperties: false })

const done = succeeded({ message: 'If an account matches, password reset instructions have been sent.' })
const eitherOne = { field: 'body', message: 'must have either username or email, and not both' }

const operation: Operation = {
  operationId: 'forgotPassword',
  summary: 'Ask for a reset mail',
  description: 'Either `username` or `email`. An address of several accounts gets one mail, with a link for each ' +
    'that is enabled, ten at most. The answer is the same for every account, whether it exists or not.',
  tag: 'Accounts',
  requests: { username: { username: 'asha' }, email: { email: 'asha@school.example' } },
  success: { description: 'The same for every account.', example: done },
  refusals: { 400: { both: invalidBody(eitherOne) } }
}

/**
 * Asks for a reset mail. This only writes one row with the client-supplied text, and a worker looks up the account
 * later. So neither the answer nor its duration reveals whether the account exists.
 */
const forgotPassword: FastifyPluginAsyncTypebox = async (app) => {
  for (const url of endpoints.forgotPassword.urls) {
    app.post(url, {
      config: { policy: endpoints.forgotPassword.policy, operation },
      schema: { body: Account, response: { 200: success(Type.Object({ message: Type.String() })) } }
    }, async (request) => {
      const { username, email } = request.body
      if ((username === undefined) === (email === undefined)) {
        throw invalidBody(eitherOne)
      }
      const whose = username !== undefined
        ? { username: normalizeUsername(username) }
        : { email: normalizeEmail(email!) }
      await requestReset(app.db, whose, request.id, request.language.code)
      request.record.event = 'authn_password_reset_request'
      return done
    })
  }
}

export default forgotPassword

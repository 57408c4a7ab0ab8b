import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidToken } from '../base/errors.js'
import { BasicData, basicData, exampleUser } from '../auth/user-fields.js'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'

const operation: Operation = {
  operationId: 'getMe',
  summary: 'Show the user of the token',
  tag: 'Login',
  token: 'required',
  success: { description: 'The user, as they are now.', example: succeeded(exampleUser) },
  refusals: { 401: { token: invalidToken() } }
}

/** The user of the token, with the current data of the database. */
const me: FastifyPluginAsyncTypebox = async (app) => {
  app.get(endpoints.me.urls[0], {
    config: { operation },
    onRequest: app.authenticate,
    schema: { response: { 200: success(BasicData) } }
  }, async (request) => {
    const user = await app.loggedUser(request)
    if (user.disabledAt) throw invalidToken({ cause: 'the account is disabled' })
    return succeeded(basicData(user))
  })
}

export default me

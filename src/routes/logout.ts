import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { endOwnSession } from '../auth/sessions.js'
import { actorOf } from '../auth/tokens.js'
import { invalidToken } from '../base/errors.js'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'

export const loggedOut = succeeded({ message: 'Logged out.' })

const operation: Operation = {
  operationId: 'logout',
  summary: 'Log out',
  description: 'Ends the session of the token. All tokens of the session are refused within a second.',
  tag: 'Login',
  token: 'required',
  success: { description: 'The session has ended.', example: loggedOut },
  refusals: { 401: { token: invalidToken() } }
}

const logout: FastifyPluginAsyncTypebox = async (app) => {
  app.post(endpoints.logout.urls[0], {
    config: { operation },
    onRequest: app.authenticate,
    schema: { response: { 200: success(Type.Object({ message: Type.String() })) } }
  }, async (request) => {
    // A client that repeats its logout gets the same answer until the session's end is known here.
    if (await endOwnSession(app.db, request.user)) {
      Object.assign(request.record, { event: 'session_expired', ...actorOf(request.user) })
      app.metrics.sessions.inc({ event: 'logout' })
    }
    return loggedOut
  })
}

export default logout

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidToken } from '../base/errors.js'
import { ok, success } from './success.js'
import { basicData, BasicData } from './user-data.js'

/** The user of the token, with the current data of the database. */
const me: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/api/auth/me', {
    onRequest: app.authenticate,
    schema: { response: { 200: success(BasicData) } }
  }, async (request) => {
    const user = await app.loggedUser(request)
    if (user.disabledAt) throw invalidToken()
    return ok(basicData(user))
  })
}

export default me

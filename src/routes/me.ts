import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { unauthorized } from '../errors.js'
import { ok, success } from './success.js'
import { found } from './unavailable.js'
import { basicData, BasicData } from './user-data.js'

/** Who the token belongs to, as the database knows him now. */
const me: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/api/auth/me', {
    onRequest: app.authenticate,
    schema: { response: { 200: success(BasicData) } }
  }, async (request) => {
    const user = await found(app.db.user.findUnique({ where: { id: Number(request.user.sub) } }))
    if (!user || user.disabledAt) throw unauthorized('A valid token is required. Please log in.')
    return ok(basicData(user))
  })
}

export default me

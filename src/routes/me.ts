import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { unauthorized } from '../errors.js'
import { found } from './unavailable.js'
import { basicData, BasicData, success } from './user-data.js'

/** Who the token belongs to, as the database knows him now. */
const me: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/api/auth/me', {
    onRequest: app.authenticate,
    schema: { response: { 200: success(BasicData) } }
  }, async (request) => {
    const user = await found(app.db.user.findUnique({ where: { id: Number(request.user.sub) } }))
    if (!user || user.disabledAt) throw unauthorized('A valid token is required. Please log in.')
    return { success: true as const, status: 200 as const, data: basicData(user) }
  })
}

export default me

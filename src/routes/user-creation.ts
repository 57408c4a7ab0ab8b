import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notImplemented } from '../errors.js'

const userCreation: FastifyPluginAsyncTypebox = async (app) => {
  for (const url of ['/auth/UserCreation', '/api/auth/UserCreation']) {
    app.post(url, {
      config: { limit: 'user-creation' },
      onRequest: (_request, _reply, done) => done(notImplemented())
    }, () => {})
  }
}

export default userCreation

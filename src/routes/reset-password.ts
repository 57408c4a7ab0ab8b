import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notImplemented } from '../errors.js'

const resetPassword: FastifyPluginAsyncTypebox = async (app) => {
  for (const url of ['/auth/resetPassword', '/api/auth/resetPassword']) {
    app.post(url, {
      config: { limit: 'reset-password' },
      onRequest: (_request, _reply, done) => done(notImplemented())
    }, () => {})
  }
}

export default resetPassword

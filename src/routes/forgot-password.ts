import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notImplemented } from '../errors.js'

const forgotPassword: FastifyPluginAsyncTypebox = async (app) => {
  for (const url of ['/auth/forgot-password', '/api/auth/forgot-password']) {
    app.post(url, {
      config: { limit: 'forgot-password' },
      onRequest: (_request, _reply, done) => done(notImplemented())
    }, () => {})
  }
}

export default forgotPassword

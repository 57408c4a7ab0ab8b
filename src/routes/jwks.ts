import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** How long verifiers keep the keys, and so how long a new key should be in the list before it signs. */
const MAX_AGE_SECONDS = 300

/** The public keys with which anyone verifies our tokens; none where secrets sign. */
const jwks: FastifyPluginAsyncTypebox = async (app) => {
  const document = JSON.stringify(app.jwks)

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.headers({ 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, 'Content-Type': 'application/json; charset=utf-8' })
    return document
  })
}

export default jwks

import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** How long verifiers keep the keys, and so how long a new key should be in the list before it signs. */
const MAX_AGE_SECONDS = 300

/** The public keys with which anyone verifies our tokens, pages of any origin included; none where secrets sign. */
const jwks: FastifyPluginAsyncTypebox = async (app) => {
  const document = JSON.stringify(app.jwks)
  const etag = `"${createHash('sha256').update(document).digest('base64url')}"`

  app.get('/.well-known/jwks.json', { config: { limit: 'public' } }, async (request, reply) => {
    reply.headers({ 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, ETag: etag })
    if (request.headers['if-none-match'] === etag) return await reply.code(304).send()
    reply.header('Content-Type', 'application/json; charset=utf-8')
    return document
  })
}

export default jwks

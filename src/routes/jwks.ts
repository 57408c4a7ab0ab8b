import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** How long verifiers cache the keys. A new key should be in the list for this time before it signs. */
const MAX_AGE_SECONDS = 300

/** The public keys for verifying our tokens. Pages of any origin may read them. The list is empty if secrets sign. */
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

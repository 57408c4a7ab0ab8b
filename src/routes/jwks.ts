import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'

/** How long verifiers cache the keys. A new key should be in the list for this time before it signs. */
const MAX_AGE_SECONDS = 300

const member = Type.Optional(Type.String())
const Key = Type.Object({
  kid: Type.String(),
  kty: Type.String(),
  alg: Type.String(),
  use: Type.String(),
  crv: member,
  x: member,
  y: member,
  n: member,
  e: member
}, { description: 'A JWK (RFC 7517).' })

const operation: Operation = {
  operationId: 'getKeys',
  summary: 'The public keys that verify tokens',
  description: 'Empty if secrets sign the tokens. ' +
    'Pages of any origin may read it, and caches keep it for five minutes.',
  tag: 'Keys',
  success: {
    description: 'A JWK set.',
    cached: true,
    content: { type: 'application/json', schema: Type.Object({ keys: Type.Array(Key) }) },
    example: {
      keys: [{
        kty: 'OKP',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        kid: '2026-11',
        alg: 'EdDSA',
        use: 'sig'
      }]
    }
  }
}

/** The public keys for verifying our tokens. Pages of any origin may read them. The list is empty if secrets sign. */
const jwks: FastifyPluginAsyncTypebox = async (app) => {
  const config = { policy: endpoints.jwks.policy, anyOrigin: true, operation } as const
  app.get(endpoints.jwks.urls[0], { config }, async (request, reply) => {
    const document = JSON.stringify(app.jwks())
    const etag = `"${createHash('sha256').update(document).digest('base64url')}"`
    reply.headers({ 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, ETag: etag })
    if (request.headers['if-none-match'] === etag) return await reply.code(304).send()
    reply.header('Content-Type', 'application/json; charset=utf-8')
    return document
  })
}

export default jwks

import type { RefusalExamples } from './error-responses.js'

/** What the schemas of an operation do not say. It is a part of the route's config. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tag: 'Login' | 'Sessions' | 'Accounts' | 'Keys'
  token?: 'required' | 'optional'
  /** Bodies of requests, by name. */
  requests?: Record<string, object>
  success: Success
  /** Refusals in addition to those of every operation. */
  refusals?: RefusalExamples
}

interface Success {
  description: string
  example: unknown
  /** The answer of an operation whose route has no schema for it. */
  content?: { type: string, schema: object }
  /** Set if a client that names the newest version gets 304. */
  cached?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

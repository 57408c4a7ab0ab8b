import type { FastifyContextConfig, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { AddressPolicy } from '../limiter/policies.js'

/** What is known of a request by its route alone. */
export interface RouteRecord {
  /** The path as it was registered, or its name; undefined for the route of all paths at which there is nothing. */
  url: string | undefined
  /** What a client is held to here. */
  policy: AddressPolicy
  config: FastifyContextConfig
}

type HookOfRoute = (route: RouteRecord) => onRequestHookHandler

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Adds a hook that every request meets, in the order of these calls and before the hooks of its route. It is made
     * once for each route, so that what it needs to know of the route is looked up once. To be called before any route
     * is added. Fastify runs what a plugin adds by `addHook` before any of these.
     */
    onEntry: (hookOf: HookOfRoute) => void
  }

  interface FastifyRequest {
    /** The matched route. Fastify makes a new object at each access to its `routeOptions`. */
    route: RouteRecord
  }

  interface FastifyContextConfig {
    /** Whose bucket a request of this route takes from; `general` where none is named. */
    limit?: AddressPolicy
    /** What the log and the metrics call the route, if its path is also another one's. */
    name?: string
  }
}

/** The path of the route of all other paths. */
export const OTHER_PATHS = '*'

/** The hooks that a request meets first. */
export default fp(async (app) => {
  const hooks: HookOfRoute[] = [
    route => (request: FastifyRequest, _reply, done) => {
      request.route = route
      done()
    }
  ]

  app.decorateRequest('route', undefined as never)
  app.decorate('onEntry', (hookOf) => { hooks.push(hookOf) })
  app.addHook('onRoute', (options) => {
    const { url, config = {}, onRequest = [] } = options
    const route = {
      url: url === OTHER_PATHS ? undefined : config.name ?? url, policy: config.limit ?? 'general', config
    }
    options.onRequest = [...hooks.map(hookOf => hookOf(route)), ...[onRequest].flat()]
  })
}, { name: 'entry' })

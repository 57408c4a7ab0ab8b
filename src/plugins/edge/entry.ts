import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { routePolicy, type AddressPolicy } from '../../limiter/limits/policies.js'

/** What the route alone says about a request. */
export interface RouteRecord {
  /** The path as it was registered, or its name; undefined for the catch-all route. */
  url: string | undefined
  /** The policy that limits requests of this route. */
  policy: AddressPolicy
  config: FastifyContextConfig
}

/**
 * One step of the entry, which every request takes before the hooks of its route.
 *
 * @param goOn for asynchronous steps: takes the next step, or fails the request with an error
 * @returns true to take the next step at once; false if the request was answered or `goOn` will be called
 */
type EntryStep = (
  this: FastifyInstance, request: FastifyRequest, reply: FastifyReply, goOn: (failure?: Error) => void
) => boolean

type StepOfRoute = (route: RouteRecord) => EntryStep

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Adds a step that every request takes, in the order of these calls and before the hooks of its route. `stepOf` is
     * called once for each route, so that a step can look up facts about the route once. `onEntry` has to be called
     * before any route is added. Fastify runs the onRequest hooks of plugins before all of these steps.
     */
    onEntry: (stepOf: StepOfRoute) => void
    /** The hooks of a route: the steps of the entry, and then its own. */
    hooksOf: (url: string, config: FastifyContextConfig, own?: onRequestHookHandler[]) => onRequestHookHandler[]
  }

  interface FastifyRequest {
    /** The matched route. Fastify makes a new object at each access to its `routeOptions`. */
    route: RouteRecord
  }

  interface FastifyContextConfig {
    /** The policy whose bucket a request of this route takes from; see `routePolicy`. */
    policy?: AddressPolicy
    /** The name of the route in the log and the metrics, if another route has the same path. */
    name?: string
  }
}

/** The path of the catch-all route. */
export const OTHER_PATHS = '*'

/** Each step is an onRequest hook of each route. The catch-all route selects the hooks for each request itself. */
export default fp(async (app) => {
  const stepsOf: StepOfRoute[] = []

  app.decorateRequest('route', undefined as never)
  app.decorate('onEntry', (stepOf) => { stepsOf.push(stepOf) })
  app.decorate('hooksOf', (url, config, own = []) => {
    const route = {
      url: url === OTHER_PATHS ? undefined : config.name ?? url, policy: routePolicy(config), config
    }
    const enter: onRequestHookHandler = (request, _reply, done) => {
      request.route = route
      done()
    }
    return [enter, ...stepsOf.map(stepOf => hookOf(stepOf(route))), ...own]
  })
  app.addHook('onRoute', (options) => {
    const { url, config = {}, onRequest = [] } = options
    if (url !== OTHER_PATHS) options.onRequest = app.hooksOf(url, config, [onRequest].flat())
  })
}, { name: 'entry' })

function hookOf (step: EntryStep): onRequestHookHandler {
  return function entryStep (request, reply, done) {
    if (step.call(this, request, reply, done)) done()
  }
}

import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
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

/**
 * One step of the entry, which every request takes before the hooks of its route.
 *
 * @param goOn for what takes a while: takes the next step, or fails the request with what is wrong
 * @returns whether the next step is to be taken at once. If not, the request was answered, or `goOn` is called
 */
export type EntryStep = (
  this: FastifyInstance, request: FastifyRequest, reply: FastifyReply, goOn: (failure?: Error) => void
) => boolean

type StepOfRoute = (route: RouteRecord) => EntryStep

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Adds a step that every request takes, in the order of these calls and before the hooks of its route. It is made
     * once for each route, so that what it needs to know of the route is looked up once. To be called before any route
     * is added. Fastify runs what a plugin adds by `addHook` before any of these.
     */
    onEntry: (stepOf: StepOfRoute) => void
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

/** Runs all steps of the entry in one hook of Fastify's. */
export default fp(async (app) => {
  const stepsOf: StepOfRoute[] = []

  app.decorateRequest('route', undefined as never)
  app.decorate('onEntry', (stepOf) => { stepsOf.push(stepOf) })
  app.addHook('onRoute', (options) => {
    const { url, config = {}, onRequest = [] } = options
    const route = {
      url: url === OTHER_PATHS ? undefined : config.name ?? url, policy: config.limit ?? 'general', config
    }
    options.onRequest = [entryOf(route, stepsOf.map(stepOf => stepOf(route))), ...[onRequest].flat()]
  })
}, { name: 'entry' })

function entryOf (route: RouteRecord, steps: EntryStep[]): onRequestHookHandler {
  return function enter (request, reply, done) {
    let taken = 0
    const goOn = (failure?: Error): void => {
      if (failure) return done(failure)
      while (taken < steps.length) {
        // While a step waited, the request may have broken off, and client-errors.ts has answered it.
        if (reply.sent) return
        const step = steps[taken++]!
        if (!step.call(this, request, reply, goOn)) return
      }
      done()
    }
    request.route = route
    goOn()
  }
}

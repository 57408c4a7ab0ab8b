import createRouter, { type HTTPMethod } from 'find-my-way'
import type { FastifyContextConfig, FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify'
import { methodNotAllowed } from '../../base/errors.js'
import { moduleMethods, moduleUrls, type Module } from '../../modules/module.js'
import { OTHER_PATHS } from '../edge/entry.js'

/** The parts of a module's route. */
export interface ModuleRoute {
  config: FastifyContextConfig
  /** The hooks after the steps of the entry. */
  onRequest: onRequestHookHandler[]
}

const noQuery = { querystringParser: () => ({}) }

/**
 * Adds the catch-all route of a listener, which serves the modules. Fastify takes no routes after its start, but a
 * SIGHUP brings other modules. So this route looks up the module of each request, in a router like Fastify's own, and
 * runs the hooks that a route of the module would run. Every other request gets 404.
 *
 * @returns a function that puts these modules in the place of those before
 */
export function routeModules (
  app: FastifyInstance, routeOf: (module: Module) => ModuleRoute, constraints = {}
): (modules: readonly Module[]) => void {
  const methods = app.supportedMethods as HTTPMethods[]
  const notForModules = methods.filter(method => !moduleMethods.includes(method))
  const refuse: onRequestHookHandler = (_request, _reply, done) => done(methodNotAllowed([...moduleMethods].sort()))
  const hooksOfOthers = app.hooksOf(OTHER_PATHS, {})
  let router = createRouter(noQuery)

  app.route({
    url: OTHER_PATHS,
    method: methods,
    constraints,
    exposeHeadRoute: false,
    onRequest (request, reply, done) {
      const hooks = router.find(request.method as HTTPMethod, request.raw.url!)?.store ?? hooksOfOthers
      let next = 0
      const goOn = (error?: Error): void => {
        if (error || next === hooks.length) done(error)
        else if (!reply.sent) hooks[next++].call(app, request, reply, goOn)
      }
      goOn()
    },
    handler: (request, reply) => request.route.config.forward?.call(app, request, reply)
  })

  return function serve (modules) {
    const served = createRouter(noQuery)
    for (const module of modules) {
      const { config, onRequest } = routeOf(module)
      const refused = { ...config.name !== undefined && { name: config.name }, refused: true }
      for (const url of moduleUrls(module)) {
        served.on(moduleMethods as HTTPMethod[], url, () => {}, app.hooksOf(url, config, onRequest))
        served.on(notForModules as HTTPMethod[], url, () => {}, app.hooksOf(url, refused, [refuse]))
      }
    }
    router = served
  }
}

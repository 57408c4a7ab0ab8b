import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { actorOf } from '../../auth/tokens.js'
import { badRequest, forbidden } from '../../base/errors.js'
import type { Module } from '../../modules/module.js'
import { isUnambiguous } from '../../modules/paths.js'

/**
 * The checks of a module's request after the limiter, in this order. They are the same for the gateway and for the
 * verify listener.
 */
export function moduleChecks (app: FastifyInstance, module: Module): onRequestHookHandler[] {
  const checks: onRequestHookHandler[] = [mustBeUnambiguous]
  if (!module.public) checks.push(app.authenticate)
  if (module.roles.length > 0) checks.push(mustHaveRole(module.roles))
  return checks
}

const mustBeUnambiguous: onRequestHookHandler = (request, _reply, done) => {
  done(isUnambiguous(request.raw.url!) ? undefined : badRequest('The path can be read in more than one way.'))
}

function mustHaveRole (roles: readonly string[]): onRequestHookHandler {
  return (request, _reply, done) => {
    if (roles.includes(request.user.role)) return done()
    done(forbidden('Your role may not use this.', { event: 'authz_fail', ...actorOf(request.user) }))
  }
}

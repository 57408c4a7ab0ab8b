import type { FastifyBaseLogger, FastifyHttpOptions, FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import type { Config } from './config/config.js'
import { createNetworkMatcher } from './base/networks.js'
import { createStates, type KnownStates } from './health/states.js'
import authentication from './plugins/services/authentication.js'
import buckets from './plugins/limiter/bucket-store.js'
import canary from './plugins/limiter/canary.js'
import client from './plugins/edge/client.js'
import cors from './plugins/edge/cors.js'
import database from './plugins/services/database.js'
import drain from './plugins/edge/drain.js'
import entry from './plugins/edge/entry.js'
import errorShape from './plugins/edge/error-shape.js'
import gateway from './plugins/gateway/gateway.js'
import { Upgradable } from './plugins/gateway/websockets.js'
import jsonBody from './plugins/edge/json-body.js'
import jwt from './plugins/services/jwt.js'
import languages from './plugins/services/languages.js'
import limiter from './plugins/limiter/limiter.js'
import reload from './plugins/services/reload.js'
import outbox from './plugins/services/outbox.js'
import purge from './plugins/services/purge.js'
import rosters from './plugins/services/rosters.js'
import metrics from './plugins/edge/request-metrics.js'
import hashQueue from './plugins/services/hash-queue.js'
import signIn from './plugins/services/sign-in.js'
import secondFactor from './plugins/services/second-factor.js'
import revocations from './plugins/services/revocations.js'
import requestEnd from './plugins/edge/request-end.js'
import requestLog, { createRequestLogger } from './plugins/edge/request-log.js'
import routing from './plugins/edge/routing.js'
import securityHeaders from './plugins/edge/security-headers.js'
import { createServer } from './plugins/edge/fastify-server.js'
import verify from './plugins/gateway/verify.js'
import verifyListener from './plugins/gateway/verify-listener.js'
import changePage from './pages/change-page.js'
import changePassword from './routes/change-password.js'
import forgotPassword from './routes/forgot-password.js'
import jwks from './routes/jwks.js'
import login from './routes/login.js'
import logout from './routes/logout.js'
import me from './routes/me.js'
import secondFactorLink from './routes/second-factor-link.js'
import secondFactorPage from './pages/second-factor-page.js'
import signInPage from './pages/sign-in-page.js'
import signInToken from './routes/sign-in-token.js'
import resetPage from './pages/reset-page.js'
import resetPassword from './routes/reset-password.js'
import sessions from './routes/sessions.js'
import userCreation from './routes/user-creation.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** What this replica found each part of the service to be. The plugin that decides a state sets it. */
    states: KnownStates
  }
}

/** Less than the rest of server.ts's grace period after the connections were cut. */
const LAST_REQUESTS_MS = 2000

/**
 * The service. Fastify matches the route of a request first. The request then takes the steps of the entry, in the
 * order in which the plugins below add them: among them CORS, the limiter and routing. Then come the hooks of its
 * route, its body, and its operation or module. README.md has a diagram with every refusal.
 *
 * @throws if the embedded database cannot be opened; servers of Redis and PostgreSQL may be down
 */
export async function buildApp (config: Config, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = createServer(log, optionsOf(config))
  app.decorate('states', createStates())

  // SIGHUP reads the settings again. Each plugin takes over those that it uses (onReload).
  await app.register(reload)

  // For every answer: the shape of errors, the metrics, the log line, the headers, and closing the connection during a
  // shutdown. The log line names the client, whose limits are remembered with it.
  await app.register(errorShape)
  await app.register(entry)
  await app.register(requestEnd)
  await app.register(metrics)
  await app.register(buckets, { config })
  await app.register(client, { config })
  await app.register(requestLog, { config })
  if (config.tracing) await app.register(import('./plugins/edge/tracing.js'), { config })
  await app.register(drain)
  await app.register(securityHeaders)

  // For every request: is this proxy or page allowed, does the client have a token left, and is there a route for the
  // path. Bodies are JSON.
  await app.register(verifyListener, { config })
  await app.register(cors, { config })
  await app.register(limiter, { config })
  await app.register(routing)
  await app.register(jsonBody)

  // Services that the operations use.
  await app.register(hashQueue, { config })
  await app.register(database, { config })
  await app.register(revocations, { config })
  await app.register(secondFactor, { config })
  await app.register(signIn, { config })
  await app.register(jwt, { config })
  await app.register(authentication)
  await app.register(languages, { config })

  // Beside the requests, on every replica: is the limiter right, which mails are due, how old are the rosters, and what
  // does nothing need any more.
  await app.register(canary)
  await app.register(outbox, { config })
  await app.register(rosters)
  await app.register(purge, { config })

  // The description of the operations: /docs, in production only if DOCS=true.
  if (config.docs) await app.register(import('./plugins/services/docs.js'), { config })

  // The operations. openapi/endpoints.ts says which policy limits each.
  await app.register(login, { config })
  await app.register(logout)
  if (config.sessionHours > 0) await app.register(sessions, { config })
  await app.register(me)
  await app.register(userCreation, { config })
  await app.register(forgotPassword)
  await app.register(changePassword)
  await app.register(resetPassword)
  await app.register(resetPage, { config })
  await app.register(changePage, { config })
  await app.register(secondFactorLink)
  await app.register(secondFactorPage, { config })
  await app.register(signInPage, { config })
  await app.register(signInToken, { config })
  await app.register(jwks)

  // The modules of the ERP: check the token and the role, then pass the request on, or answer the proxy that asked.
  await app.register(gateway, { config })
  await app.register(verify, { config })
  app.refuseOtherMethods()

  // Of `onClose` hooks, the last one runs first. Requests of clients that have left still use the database and write
  // log lines. So this hook waits for them before the others close anything.
  app.addHook('onClose', () => app.allRequestsEnded(LAST_REQUESTS_MS))

  return app
}

const optionsOf = (config: Config): FastifyHttpOptions<Server, FastifyBaseLogger> => ({
  childLoggerFactory: createRequestLogger,
  trustProxy: config.trustProxy.length > 0 && createNetworkMatcher(config.trustProxy),
  // The first start creates the embedded database, which takes seconds, and much longer on a busy machine.
  pluginTimeout: 60_000,
  http: { IncomingMessage: Upgradable },
  keepAliveTimeout: config.keepAliveSeconds * 1000,
  return503OnClosing: false,
  // TypeBox made the schemas, so they are valid. Checking them would take a tenth of a start.
  ajv: {
    customOptions: {
      coerceTypes: false, removeAdditional: false, allErrors: true, verbose: true, validateSchema: false
    }
  }
})

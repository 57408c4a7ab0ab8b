import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { generatedSecret } from '../auth/generated-secret.js'
import { normalizeUsername } from '../auth/username.js'
import { notFound } from '../base/errors.js'
import type { Config } from '../config/config.js'
import { standingOf } from '../second-factor/factors.js'
import type { Health } from '../health/readiness.js'
import { createAccess } from './access.js'
import { bucketApi } from './bucket-api.js'
import { createEvents } from './events.js'
import { createObservation } from './now.js'

/** The build puts the page there. */
const directory = new URL('../../dist/console/page/', import.meta.url)
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }

/** The policy allows no other host, no inline script or style, and no text that becomes markup. */
const securityHeaders = {
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
}

interface Options { app: FastifyInstance, config: Config, healthNow: () => Health }

/**
 * The console for people, and the bucket API for scripts. Both need the token. Without OPS_TOKEN a token is made and
 * stored, and the log has the console's address with it. In production, both are then off.
 */
export const opsConsole: FastifyPluginAsync<Options> = async (ops, { app, config, healthNow }) => {
  if (config.opsToken === undefined && config.production) return switchOff(ops)
  const token = config.opsToken ?? generatedSecret(config.dataDir, 'ops-token')
  const access = createAccess(token, app)
  const sendEvents = createEvents(ops, () => createObservation(app, healthNow), access.hasEnded)
  ops.addHook('onListen', async () => {
    // A browser keeps what follows # to itself.
    const suffix = config.opsToken === undefined ? `#${token}` : ''
    ops.log.info({ code: 'console_on' }, `the console is at ${ops.listeningOrigin}/console${suffix}`)
  })

  ops.addHook('onRequest', access.refuseForeign)
  ops.addHook('onRequest', async (_request, reply) => { reply.headers(securityHeaders) })
  ops.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })

  // These files contain no secrets, and the sign-in form needs some of them.
  for (const name of (await readdir(directory)).filter(name => !name.endsWith('.html'))) {
    ops.get(`/console/${name}`, (_request, reply) => sendFile(reply, name))
  }

  ops.get('/console', async (request, reply) => {
    try {
      await access.mustBeOperator(request)
    } catch (refusal) {
      // A browser gets the sign-in form, and a script gets the error.
      if (!request.headers.accept?.includes('text/html')) throw refusal
      return await sendFile(reply.code(401), 'sign-in.html')
    }
    return await sendFile(reply, 'console.html')
  })

  ops.post<{ Body: { token?: unknown } }>('/console/session', async (request, reply) => {
    const token = request.body?.token
    await access.signIn(typeof token === 'string' ? token : '', request, reply)
    return reply.redirect('/console', 303)
  })

  ops.delete('/console/session', async (request, reply) => {
    await access.signOut(request, reply)
    return await reply.code(204).send()
  })

  await ops.register(async (guarded) => {
    guarded.addHook('onRequest', access.mustBeOperator)
    guarded.get('/console/session', (request, reply) => access.sessionOf(request) ?? reply.code(204).send())
    guarded.get('/console/events', { exposeHeadRoute: false }, (request, reply) =>
      sendEvents(request, reply, access.sessionOf(request)))
    /** How a user gets in besides the password; 204 if there is no such user. */
    guarded.get<{ Params: { username: string } }>('/console/users/:username', async ({ params }, reply) => {
      const user = await app.db.user.findUnique({ where: { username: normalizeUsername(params.username) } })
      if (!user) return await reply.code(204).send()
      return { signInIssuer: user.signInIssuer, secondFactor: await standingOf(app.db, user) }
    })
    await guarded.register(bucketApi, { app })
    // The same for the page, whose cookie goes nowhere else.
    await guarded.register(bucketApi, { app, prefix: '/console' })
  })
}

function switchOff (ops: FastifyInstance): void {
  const off = 'the console and the bucket API are off: set OPS_TOKEN to use them'
  ops.addHook('onListen', async () => { ops.log.info({ code: 'console_off' }, off) })
  for (const path of ['/console', '/console/*', '/buckets', '/buckets/*']) {
    ops.all(path, () => { throw notFound(`T${off.slice(1)}.`) })
  }
}

async function sendFile (reply: FastifyReply, name: string): Promise<string> {
  const type = types[name.replace(/^.*\./, '') as keyof typeof types]
  reply.header('content-type', `${type}; charset=utf-8`)
  return await readFile(new URL(name, directory), 'utf8')
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { AT_PROVIDER } from '../auth/tokens.js'
import { notFound, unauthorized } from '../base/errors.js'
import type { Config } from '../config/config.js'
import type { Operation } from '../openapi/operations.js'
import { redeemTicket } from '../sign-in/tickets.js'
import { endpoints } from '../openapi/endpoints.js'
import { createLogins, exampleLogin, UserWithToken } from './begin-login.js'
import { success } from './success.js'

const Text = Type.String({ minLength: 1, maxLength: 128 })
const Exchange = Type.Object({ ticket: Text, verifier: Text }, { additionalProperties: false })

const off = () => notFound('Nobody can sign in at a provider here.')
const invalidTicket = () => unauthorized('This sign-in is not valid any more. Please sign in again.')

const operation: Operation = {
  operationId: 'exchangeTicket',
  summary: 'Exchange the ticket of a sign-in for a token',
  description: 'Begins a session, as a login does. A browser that goes to `/api/auth/oidc/NAME?challenge=…` comes ' +
    'back to LOGIN_URL with `#ticket=…`, which works once, for a minute. `challenge` is the S256 (RFC 7636) of ' +
    '`verifier`, which the page keeps.',
  tag: 'Login',
  requests: {
    exchange: {
      ticket: 'Ga4Nv7b2m0Wb0m5x8G0jJmJ3yq1zXc9dLq5cZbqk7nE', verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    }
  },
  success: { description: 'The user, and a token of one hour.', example: exampleLogin },
  refusals: { 401: { ticket: invalidTicket() }, 404: { off: off() } }
}

/** Ticket → session → token. The second factor is the provider's. */
const signInToken: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const beginLogin = createLogins(app, config)

  app.post(endpoints.signInToken.urls[0], {
    config: { policy: endpoints.signInToken.policy, operation },
    schema: { body: Exchange, response: { 200: success(UserWithToken) } }
  }, async (request) => {
    if (app.signIn.providers.size === 0) throw off()
    const { ticket, verifier } = request.body
    const user = await redeemTicket(app.db, ticket, verifier)
    if (!user) throw invalidTicket()
    Object.assign(request.record, { event: 'authn_login_success', actor: user.username, userId: user.id })
    return await beginLogin(request, user, AT_PROVIDER)
  })
}

export default signInToken

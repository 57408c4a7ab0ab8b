import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { actorOf } from '../auth/tokens.js'
import { invalidToken, notFound } from '../base/errors.js'
import { notify } from '../mail/account-mails.js'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'

const done = succeeded({ message: 'If your account has an address, a link to set up a second factor has been sent.' })

/** Production without SECOND_FACTOR_KEY. */
const off = () => notFound('There are no second factors here.')

const operation: Operation = {
  operationId: 'setUpSecondFactor',
  summary: 'Ask for a link to set up a second factor',
  description: 'The link is mailed to the user of the token. Its page shows a QR code for an authenticator app. A ' +
    'second factor of before stays until a code of the new one is accepted.',
  tag: 'Accounts',
  token: 'required',
  success: { description: 'The same with and without an address.', example: done },
  refusals: { 401: { token: invalidToken() }, 404: { off: off() } }
}

/** The link goes to the mailbox, so a stolen token or password cannot set up a second factor. */
const secondFactorLink: FastifyPluginAsyncTypebox = async (app) => {
  app.post(endpoints.secondFactor.urls[0], {
    config: { policy: endpoints.secondFactor.policy, operation },
    onRequest: app.authenticate,
    schema: { response: { 200: success(Type.Object({ message: Type.String() })) } }
  }, async (request) => {
    if (!app.secondFactors.sealing.works) throw off()
    const { id } = await app.loggedUser(request)
    await notify(app.db, 'second_factor', id, request.id, request.language.code)
    Object.assign(request.record, { event: 'authn_second_factor_request', ...actorOf(request.user) })
    return done
  })
}

export default secondFactorLink

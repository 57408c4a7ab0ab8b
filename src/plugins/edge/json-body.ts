import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { bodyText } from '../../base/body-text.js'
import { unsupportedMediaType } from '../../base/errors.js'

/**
 * Only JSON in UTF-8 is accepted as a body, because a cross-origin page cannot send it without a preflight. It may not
 * be compressed. Where no body belongs, an empty one may have any type: many clients name one in every request.
 */
export default fp(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error')

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isAbsent(request, body)) return done(null, undefined)
    let text: string
    try {
      text = bodyText(request.headers, body)
    } catch (error) {
      return done(error as Error)
    }
    parseJson(request, text, done)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isAbsent(request, body)) done(null, undefined)
    else done(unsupportedMediaType())
  })
}, { name: 'json-body' })

const isAbsent = ({ routeOptions }: FastifyRequest, { length }: Buffer): boolean =>
  length === 0 && !routeOptions.schema?.body

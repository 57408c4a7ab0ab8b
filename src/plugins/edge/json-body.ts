import fp from 'fastify-plugin'
import { bodyText } from '../../base/body-text.js'

/**
 * Only JSON in UTF-8 is accepted as a body, because a cross-origin page cannot send it without a preflight. It may not
 * be compressed.
 */
export default fp(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error')

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    let text: string
    try {
      text = bodyText(request.headers, body)
    } catch (error) {
      return done(error as Error)
    }
    // Many clients name the type in every request.
    if (text === '' && !request.routeOptions.schema?.body) return done(null, undefined)
    parseJson(request, text, done)
  })
}, { name: 'json-body' })

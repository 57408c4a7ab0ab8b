import fp from 'fastify-plugin'
import { badRequest, unsupportedMediaType } from '../../base/errors.js'

/**
 * Only JSON in UTF-8 is accepted as a body, because a cross-origin page cannot send it without a preflight. It may not
 * be compressed.
 */
export default fp(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity'
    if (coding.toLowerCase() !== 'identity') return done(unsupportedMediaType())
    const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return done(unsupportedMediaType())
    let text: string
    try {
      text = utf8.decode(body)
    } catch {
      return done(badRequest('The body is not valid UTF-8.'))
    }
    // Many clients name the type in every request.
    if (text === '' && !request.routeOptions.schema?.body) return done(null, undefined)
    parseJson(request, text, done)
  })
}, { name: 'json-body' })

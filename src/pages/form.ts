import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyText, notUtf8 } from '../base/body-text.js'

/**
 * The pages without JavaScript send forms. Browsers send these without a preflight, so only there a body may be a form.
 * No other site can use that: the entry refuses its Origin.
 */
export function parseForms (app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, async (
    { headers }: FastifyRequest, body: Buffer
  ) => formOf(bodyText(headers, body)))
}

/** `URLSearchParams` would replace what is no UTF-8, also in a password. */
function formOf (text: string): NodeJS.Dict<string> {
  try {
    decodeURIComponent(text)
  } catch {
    throw notUtf8()
  }
  return Object.fromEntries(new URLSearchParams(text))
}

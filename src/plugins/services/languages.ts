import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { languageOf, type Language } from '../../languages/languages.js'
import type { Config } from '../../config/config.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The language that the client prefers, of those that have texts. */
    readonly language: Language
  }
}

/** Browsers send some fifty characters, and reading thousands of languages would take longer than a refusal. */
const MAX_LENGTH = 500

/** The language of an answer that a person reads, or of a mail: by Accept-Language. */
export default fp<{ config: Config }>(async (app, { config: { languages } }) => {
  const codes = [...languages.keys()]
  app.decorateRequest('language', {
    getter () {
      const accepted = this.headers['accept-language']?.slice(0, MAX_LENGTH)
      const headers = accepted === undefined ? {} : { 'accept-language': accepted }
      return languageOf(languages, new Negotiator({ headers }).language(codes))
    }
  })
}, { name: 'languages' })

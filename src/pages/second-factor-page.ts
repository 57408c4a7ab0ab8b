import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { invalidBody } from '../base/errors.js'
import { escapeHtml } from '../base/html.js'
import { translatedDuration, fillTemplate, type Language, type Texts, type Wording } from '../languages/languages.js'
import { linkTokenHash } from '../mail/link-tokens.js'
import { endpoints } from '../openapi/endpoints.js'
import { otpauthUri, picture } from '../second-factor/authenticator.js'
import { base32, inGroups } from '../second-factor/codes.js'
import { confirmEnrolment, findEnrolment, type Enrolment } from '../second-factor/enrolment.js'
import { parseForms } from './form.js'
import { codeField, pageWith, refusalsAsPages, statusLine } from './page.js'

const [url] = endpoints.secondFactorPage.urls

const Form = Type.Object({ token: Type.String(), code: Type.String() })

/**
 * The page behind the link that sets up a second factor. It needs no JavaScript. A look changes nothing, since mail
 * servers open links, too. The recovery codes are in the answer to the first right code, and nowhere else.
 */
const secondFactorPage: FastifyPluginAsyncTypebox<{ config: Wording }> = async (app, { config }) => {
  const { headersIn, html } = pageWith(config)
  const titled = (language: Language, content: string): string =>
    html(language, language.texts['secondFactor.title'], content)
  const { secondFactors } = app

  app.get(url, async ({ query, language }, reply) => {
    reply.headers(headersIn(language))
    const { token } = query as { token?: unknown }
    const enrolment = await enrolmentOf(token)
    if (!enrolment) {
      reply.code(400)
      return titled(language, deadLink(language.texts))
    }
    return titled(language, contentIn(language, enrolment, token as string, config.appName))
  })

  parseForms(app)
  app.post(url, {
    config: { policy: endpoints.secondFactorForm.policy },
    schema: { body: Form },
    onSend: refusalsAsPages(headersIn, titled)
  }, async (request, reply) => {
    const { body: { token, code }, language } = request
    reply.headers(headersIn(language))
    const { texts } = language
    const hash = linkTokenHash(token)
    const confirmed = hash && await confirmEnrolment(app.db, secondFactors.sealing, hash, code)
    if (typeof confirmed === 'object' && 'recoveryCodes' in confirmed) {
      const { username: actor, userId, recoveryCodes } = confirmed
      Object.assign(request.record, { event: 'authn_second_factor_set', actor, userId })
      return titled(language, doneIn(texts, recoveryCodes))
    }
    reply.code(400)
    request.record.code = invalidBody().code
    const enrolment = confirmed && await enrolmentOf(token)
    if (!enrolment) return titled(language, deadLink(texts))
    const said = typeof confirmed === 'object'
      ? fillTemplate(texts['secondFactor.clock'], { offset: offsetIn(language, confirmed.offSeconds) })
      : texts['secondFactor.wrong']
    return titled(language, statusLine(said) + contentIn(language, enrolment, token, config.appName))
  })

  async function enrolmentOf (token: unknown): Promise<Enrolment | undefined> {
    const hash = linkTokenHash(token)
    return hash === undefined ? undefined : await findEnrolment(app.db, secondFactors.sealing, hash)
  }
}

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>\n`
const deadLink = (texts: Texts): string => statusLine(texts['secondFactor.deadLink'])

const offsetIn = (language: Language, seconds: number): string => Math.abs(seconds) < 120
  ? translatedDuration(Math.abs(seconds), 'second', language)
  : translatedDuration(Math.round(Math.abs(seconds) / 60), 'minute', language)

function contentIn ({ texts }: Language, enrolment: Enrolment, token: string, appName: string): string {
  const uri = otpauthUri(enrolment, appName)
  return paragraph(texts['secondFactor.scan']) + picture(uri, texts['secondFactor.picture']) +
    paragraph(texts['secondFactor.type']) +
    `<p><code translate="no">${inGroups(base32(enrolment.secret))}</code></p>\n` +
    `<p><a href="${escapeHtml(uri)}">${escapeHtml(texts['secondFactor.open'])}</a></p>\n` +
    paragraph(texts['secondFactor.stay']) +
    `<form method="post" action="${url}"><input type="hidden" name="token" value="${escapeHtml(token)}">` +
    `${codeField(texts['secondFactor.code'], ' inputmode="numeric"')}
<button>${escapeHtml(texts['secondFactor.submit'])}</button>
</form>`
}

const doneIn = (texts: Texts, codes: string[]): string =>
  statusLine(texts['secondFactor.done']) + paragraph(texts['secondFactor.recovery']) +
  `<ol>${codes.map(code => `<li><code translate="no">${inGroups(code)}</code></li>`).join('')}</ol>`

export default secondFactorPage

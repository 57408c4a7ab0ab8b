import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Language, Texts, Wording } from '../languages/languages.js'
import type { FaultyField } from '../base/errors.js'
import { escapeHtml } from '../base/html.js'
import { changeWith } from '../routes/change-password.js'
import { parseForms } from './form.js'
import { codeField, pageWith, passwordField, showButton, statusLine, tooMany, weaknesses } from './page.js'
import { endpoints } from '../openapi/endpoints.js'

/** What the operation answers: a success, or an error. */
interface OperationResult {
  success?: true
  status: number
  details?: FaultyField[]
  rateLimitInfo?: { retryAfter: number }
}

/**
 * A page that changes a password. It needs no JavaScript: it sends a form, and each answer of the operation comes back
 * as a page.
 */
const changePage: FastifyPluginAsyncTypebox<{ config: Wording }> = async (app, { config }) => {
  const { headersIn, html } = pageWith(config)
  const pages = new Map([...config.languages].map(([code, language]) =>
    [code, html(language, language.texts['change.title'], formIn(language.texts))]))
  const [url] = endpoints.changePage.urls

  app.get(url, async ({ language }, reply) => {
    reply.headers(headersIn(language))
    return pages.get(language.code)
  })

  // Password managers look here: https://www.w3.org/TR/change-password-url/
  app.get(endpoints.changePageFound.urls[0], async (_request, reply) => reply.redirect(url))

  parseForms(app)
  const { policy } = endpoints.changePageForm
  app.post(url, {
    ...changeWith(app),
    config: { policy, hashes: true, counts: 'passwordChanges' },
    // Not a promise: the answer to a request that the entry refuses is sent at once.
    onSend: ({ language, body }, reply, payload, done) => {
      reply.headers(headersIn(language))
      const answer = JSON.parse(payload as string) as OperationResult
      const form = body as FormBody | undefined
      const said = saidOf(answer, language, Boolean(form?.code))
      const again = answer.success ? '' : formAgain(language.texts, answer, form)
      done(null, html(language, language.texts['change.title'], statusLine(said) + again, said))
    }
  })
}

/** Without a second factor, nobody sees a field for a code. */
const formIn = (texts: Texts, username = '', needsCode = false): string => `
<form method="post" action="${endpoints.changePage.urls[0]}">
<label for="username">${escapeHtml(texts['page.username'])}</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username" autocapitalize="none"
  spellcheck="false" required maxlength="255">${passwordField('currentPassword', texts['change.currentPassword'])}
${needsCode ? codeField(texts['change.code']) : ''}
${passwordField('newPassword', texts['page.newPassword'])}
${showButton(texts)}
<button>${escapeHtml(texts['change.submit'])}</button>
</form>`

interface FormBody { username?: string, code?: string }

/** A form that had the field for a code keeps it. */
const formAgain = (texts: Texts, { details }: OperationResult, { username, code }: FormBody = {}): string =>
  formIn(texts, username, code !== undefined || asksForCode(details))

const asksForCode = (details: FaultyField[] = []): boolean => details.some(({ field }) => field === 'code')

function saidOf (
  { success, status, details = [], rateLimitInfo }: OperationResult, language: Language, withCode: boolean
): string {
  const { texts } = language
  if (success) return texts['change.done']
  if (rateLimitInfo) return tooMany(language, rateLimitInfo.retryAfter)
  if (status === 401) return texts[withCode ? 'change.wrongCode' : 'change.wrong']
  if (asksForCode(details)) return texts['change.needsCode']
  const textOf = weaknesses(texts)
  return details.flatMap(({ message }) => textOf[message] ?? []).join(' ') || texts['page.failed']
}

export default changePage

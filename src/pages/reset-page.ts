import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Language, Wording } from '../languages/languages.js'
import { escapeHtml } from '../base/html.js'
import type { Operation } from '../openapi/operations.js'
import { pageWith, passwordField, showButton, weaknesses } from './page.js'
import { endpoints } from '../openapi/endpoints.js'

// The token is removed from the address bar, so that neither the history nor a screenshot contains it. A link that is
// opened in the tab of this page only changes the fragment.
const script = `
const link = new URLSearchParams(location.hash.slice(1))
const token = link.get('token')
const username = link.get('username') ?? ''
history.replaceState(null, '', location.pathname)
addEventListener('hashchange', () => location.reload())
const texts = JSON.parse(document.querySelector('main div').dataset.texts)
const said = document.querySelector('[role=status]')
const { set, ask } = document.forms
set.username.value = ask.account.value = username
set.username.hidden = set.username.labels[0].hidden = !username
set.hidden = !token
ask.hidden = Boolean(token)
if (!token) said.textContent = texts.noLink

const seconds = amount => new Intl.NumberFormat(document.documentElement.lang, {
  style: 'unit', unit: 'second', unitDisplay: 'long'
}).format(amount)

/** Says what became of it, and returns what the page has to say itself. */
async function send (form, url, payload, done) {
  said.textContent = ''
  let fault
  try {
    const reply = await fetch(url, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(payload)
    })
    const { success, details, rateLimitInfo } = await reply.json()
    fault = details?.[0]
    form.hidden = success === true
    said.textContent = success ? done
      : rateLimitInfo ? texts.tooMany.replace('{wait}', seconds(rateLimitInfo.retryAfter))
      : texts.weak[fault?.message] ?? texts.failed
  } catch {
    said.textContent = texts.unreachable
  }
  lock(false)
  return fault
}

set.addEventListener('submit', async (event) => {
  event.preventDefault()
  const payload = { token, newPassword: set.newPassword.value }
  const fault = await send(set, '/auth/resetPassword', payload, texts.done)
  if (fault?.field !== 'token') return
  set.hidden = true
  ask.hidden = false
  said.textContent = texts.deadLink
})

ask.addEventListener('submit', (event) => {
  event.preventDefault()
  const text = ask.account.value.trim()
  const isEmail = /^[^@]+@[^@]+\\.[^@]+$/.test(text) && text !== username
  send(ask, '/auth/forgot-password', isEmail ? { email: text } : { username: text }, texts.asked)
})
`

const operation: Operation = {
  operationId: 'showResetPage',
  summary: 'The page that a reset mail links to',
  tag: 'Accounts',
  success: {
    description: 'A page that sets a new password.',
    content: { type: 'text/html; charset=utf-8', schema: Type.String() },
    example: '<!doctype html>\n<html lang="en">…</html>\n'
  }
}

/**
 * The page behind the link in a mail. It sends the token from the link's fragment, and a new password. If the link is
 * not valid any more, or there was none, it asks for a new one. The username comes from the fragment, too: the server
 * tells nobody who has a token.
 */
const resetPage: FastifyPluginAsyncTypebox<{ config: Wording }> = async (app, { config }) => {
  const { headersIn, html } = pageWith(config, script)
  const pages = new Map([...config.languages].map(([code, language]) =>
    [code, html(language, language.texts['reset.title'], contentIn(language))]))

  app.get(endpoints.resetPage.urls[0], { config: { operation } }, async ({ language }, reply) => {
    reply.headers(headersIn(language))
    return pages.get(language.code)
  })
}

function contentIn ({ texts }: Language): string {
  const ofScript = {
    done: texts['reset.done'],
    noLink: texts['reset.noLink'],
    deadLink: texts['reset.deadLink'],
    asked: texts['reset.asked'],
    tooMany: texts['page.tooMany'],
    failed: texts['page.failed'],
    unreachable: texts['page.unreachable'],
    weak: weaknesses(texts)
  }
  return `<div data-texts="${escapeHtml(JSON.stringify(ofScript))}"></div>
<form name="set" hidden>
<label for="username">${escapeHtml(texts['page.username'])}</label>
<input id="username" autocomplete="username" readonly>${passwordField('newPassword', texts['page.newPassword'])}
${showButton(texts)}
<button>${escapeHtml(texts['reset.submit'])}</button>
</form>
<p role="status"></p>
<form name="ask" hidden>
<label for="account">${escapeHtml(texts['reset.account'])}</label>
<input id="account" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="255">
<button>${escapeHtml(texts['reset.ask'])}</button>
</form>
<noscript>${escapeHtml(texts['page.needsScript'])}</noscript>`
}

export default resetPage

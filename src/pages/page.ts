import { createHash } from 'node:crypto'
import { expectations } from '../auth/password-policy.js'
import type { onSendHookHandler } from 'fastify'
import { fillTemplate, translatedDuration, type Language, type Texts, type Wording } from '../languages/languages.js'
import { escapeHtml } from '../base/html.js'

/* What the pages have in common. They take nothing from other hosts, and work in each language and in dark mode. */

const style = `
:root {
  color-scheme: light dark; --text: #1a1a1a; --paper: #fafafa; --field: #fff; --edge: #767676;
  --accent: #1d4ed8; --on-accent: #fff
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8e8e8; --paper: #16181c; --field: #22252b; --edge: #8b8f98; --accent: #8ab4f8; --on-accent: #10131a
  }
}
body {
  font: 1rem/1.5 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--paper); overflow-wrap: anywhere
}
main { max-width: 24rem; margin: 12vh auto 2rem; padding: 0 1rem }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, button { padding: .6rem; margin: .3rem 0 1rem; border: 1px solid var(--edge); border-radius: .3rem }
input { color: inherit; background: var(--field) }
button { color: var(--on-accent); background: var(--accent); border-color: var(--accent); cursor: pointer }
button[aria-pressed] { color: inherit; background: none; border-color: var(--edge) }
a { color: var(--accent) }
[hidden] { display: none }
`

/**
 * Lets a button show the passwords, until they are sent. The one that sends them is locked then: a double click would
 * send them twice, and show the second answer. Browsers bring a page back with its buttons as they were.
 */
const showing = `
const shower = document.querySelector('[aria-pressed]')
function show (shown) {
  shower?.setAttribute('aria-pressed', shown)
  for (const field of document.querySelectorAll('[data-secret]')) field.type = shown ? 'text' : 'password'
}
if (shower) shower.hidden = false
shower?.addEventListener('click', () => show(shower.getAttribute('aria-pressed') === 'false'))
function lock (locked) {
  for (const button of document.querySelectorAll('button:not([type])')) button.disabled = locked
}
document.addEventListener('submit', () => {
  show(false)
  lock(true)
}, true)
addEventListener('pageshow', () => lock(false))
`

/** A kind of page, with the script that runs in it. */
export function pageWith (wording: Wording, script = '') {
  const code = showing + script
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${source(code)}; style-src ${source(style)}; ` +
      "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    // With `no-referrer`, browsers would send a form's POST with `Origin: null`, which any page can make them send.
    'referrer-policy': 'same-origin',
    vary: 'Origin, Accept-Language'
  }

  return {
    headersIn: ({ code }: Language) => ({ ...headers, 'content-language': code }),

    /**
     * @param heading also the title, unless there is one
     * @param content HTML
     */
    html: ({ code: lang, texts }: Language, heading: string, content: string, title = heading): string => {
      const { appName, loginUrl } = wording
      const back = fillTemplate(texts['page.back'], { app: appName })
      return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(`${title} - ${appName}`)}</title>
<style>${style}</style>
</head>
<body dir="auto">
<main>
<h1>${escapeHtml(heading)}</h1>
${content}
${loginUrl ? `<p><a href="${escapeHtml(loginUrl.href)}">${escapeHtml(back)}</a></p>` : ''}
</main>
<script>${code}</script>
</body>
</html>
`
    }
  }
}

/** What became of a request, in HTML. */
export const statusLine = (text: string): string => `<p role="status">${escapeHtml(text)}</p>\n`

/**
 * A hook for routes that answer with pages: an error, too, is one. Not a promise, because the answer to a request that
 * the entry refuses is sent at once.
 */
export const refusalsAsPages = (
  headersIn: (language: Language) => Record<string, string>, titled: (language: Language, content: string) => string
): onSendHookHandler => ({ language }, reply, payload, done) => {
  const { error, rateLimitInfo } = typeof payload === 'string' && payload.startsWith('{')
    ? JSON.parse(payload) as { error: string, rateLimitInfo?: { retryAfter: number } }
    : {}
  if (error === undefined) return done(null, payload)
  const said = rateLimitInfo ? tooMany(language, rateLimitInfo.retryAfter) : language.texts['page.failed']
  reply.headers(headersIn(language))
  done(null, titled(language, statusLine(said)))
}

/** How long a client of a 429 has to wait. */
export function tooMany (language: Language, retryAfterSeconds: number): string {
  const wait = translatedDuration(retryAfterSeconds, 'second', language)
  return fillTemplate(language.texts['page.tooMany'], { wait })
}

/** A field for a password, under the name that the operation knows. */
export const passwordField = (name: 'newPassword' | 'currentPassword', label: string): string => `
<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" type="password" data-secret required ${name === 'newPassword'
  ? 'autocomplete="new-password" minlength="8"'
  : 'autocomplete="current-password"'}>`

/** For a code of six digits or a recovery code, as people type it: so nothing limits what it takes. */
export const codeField = (label: string, more = ''): string => `
<label for="code">${escapeHtml(label)}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required${more}>`

/** Without JavaScript it would do nothing, so it is hidden. */
export const showButton = (texts: Texts): string =>
  `<button type="button" aria-pressed="false" hidden>${escapeHtml(texts['page.showPassword'])}</button>`

/** What an answer says about a weak password, and what a page says instead. */
export const weaknesses = (texts: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(expectations).map(([reason, message]) =>
    [message, texts[`password.${reason as keyof typeof expectations}`]]))

/** The source expression with which a Content-Security-Policy allows only this text. */
function source (text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

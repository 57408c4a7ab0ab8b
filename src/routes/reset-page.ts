import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Operation } from '../openapi/operations.js'
import { places } from './paths.js'

const style = `
body {
  font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto 0; padding: 0 1rem;
  color: #1a1a1a; background: #fafafa
}
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, button { padding: .6rem; margin: .3rem 0 1rem; border: 1px solid #767676; border-radius: .3rem }
button { color: #fff; background: #1d4ed8; border-color: #1d4ed8; cursor: pointer }
`

// The token is removed from the address bar, so that neither the history nor a screenshot contains it.
const script = `
const token = new URLSearchParams(location.hash.slice(1)).get('token')
history.replaceState(null, '', location.pathname)
const form = document.querySelector('form')
const said = document.querySelector('[role=status]')
const button = document.querySelector('button')
if (!token) {
  form.hidden = true
  said.textContent = 'Please open the link in your reset mail again.'
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  said.textContent = ''
  try {
    const reply = await fetch('/auth/resetPassword', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, newPassword: document.querySelector('input').value })
    })
    const body = await reply.json()
    const [fault] = body.details ?? []
    form.hidden = body.success === true
    said.textContent = body.success ? body.data.message
      : fault?.field === 'newPassword' ? 'The password ' + fault.message + '.'
      : fault ? 'This link is not valid any more. Please ask for a new one.' : body.message
  } catch {
    said.textContent = 'The service cannot be reached. Please try again.'
  }
  button.disabled = false
})
`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Set a new password</title>
<style>${style}</style>
</head>
<body>
<h1>Set a new password</h1>
<form>
<label for="password">New password, 8 characters or more</label>
<input id="password" type="password" autocomplete="new-password" required minlength="8">
<button>Set password</button>
</form>
<p role="status"></p>
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
</body>
</html>
`

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; script-src ${source(script)}; style-src ${source(style)}; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer'
}

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
 * The page behind the link in a reset mail: a form that sends the token from the link's fragment, and a new password.
 */
const resetPage: FastifyPluginAsyncTypebox = async (app) => {
  app.get(places.resetPage.urls[0], { config: { operation } }, async (_request, reply) => {
    reply.headers(headers)
    return page
  })
}

/** The source expression with which a Content-Security-Policy allows only this text. */
function source (text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

export default resetPage

// Exchanges the token for a session cookie, which no script can read.

const form = document.querySelector('form')
const input = document.querySelector('input')
const button = document.querySelector('button')
const said = document.querySelector('#said')

// Who follows a link from elsewhere may have a session: the browser sends its cookie from here only.
fetch('/console/session').then(({ ok }) => { if (ok) location.replace('/console') }, () => {})

// The address in the log ends with the token, which signs in at once.
const given = location.hash.slice(1)
if (given !== '') {
  history.replaceState(null, '', '/console')
  input.value = given
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  said.textContent = ''
  try {
    const reply = await fetch(form.action, { method: 'POST', body: new URLSearchParams({ token: input.value.trim() }) })
    if (reply.ok) return location.replace('/console')
    said.textContent = (await reply.json()).message
    input.select()
  } catch {
    said.textContent = 'The service cannot be reached. Please try again.'
  }
  button.disabled = false
})

if (given !== '') form.requestSubmit()

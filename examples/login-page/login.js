// The page of LOGIN_URL. `gatehouse` is the origin of the API, which has this page's origin in CORS_ORIGINS.
const { gatehouse, provider } = await (await fetch('settings.json')).json()

const base64url = bytes => btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')

/** Goes to the provider. The verifier stays in this tab, so that nobody else can exchange the ticket. */
document.querySelector('#sign-in').addEventListener('click', async () => {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  sessionStorage.setItem('verifier', verifier)
  const challenge = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
  location.assign(`${gatehouse}/api/auth/oidc/${provider}?challenge=${challenge}`)
})

const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket')
if (ticket !== null) {
  history.replaceState(null, '', location.pathname)
  const response = await fetch(`${gatehouse}/api/auth/oidc/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket, verifier: sessionStorage.getItem('verifier') ?? '-' })
  })
  sessionStorage.removeItem('verifier')
  const { data, message } = await response.json()
  document.querySelector('[role=status]').textContent = response.ok ? `Hello, ${data.userName}.` : message
}

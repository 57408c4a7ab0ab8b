#!/usr/bin/env bash
# openid-client 6.9.0 (oauth4webapi 3.8.8, jose 6.2.17).
# Expected: after a provider has rotated its key, `setJwksCache` with the new keys lets a Configuration that was used
# before verify the next ID token.
# Seen: the keys that a Configuration has fetched first are kept inside, by its metadata. What `setJwksCache` sets later
# is ignored: for a minute the ID token of a new key is refused, and the provider is not asked. A new Configuration of
# the same metadata verifies it.
#   before: accepted
#   rotated: OAUTH_KEY_SELECTION_FAILED
#   rotated, setJwksCache: OAUTH_KEY_SELECTION_FAILED
#   rotated, new Configuration: accepted
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund openid-client@6.9.0 oauth4webapi@3.8.8 jose@6.2.17 > /dev/null
cat > rotate.mjs << 'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oidc from 'openid-client'

const newKey = async (kid) => ({ kid, ...await generateKeyPair('RS256', { extractable: true }) })
const published = async ({ kid, publicKey }) => ({ keys: [{ ...await exportJWK(publicKey), kid, alg: 'RS256' }] })
let key = await newKey('one')
const server = createServer(async ({ url }, response) => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const answers = {
    '/.well-known/openid-configuration': () => ({
      issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`
    }),
    '/jwks': () => published(key),
    '/token': async () => ({
      access_token: 'x',
      token_type: 'Bearer',
      id_token: await new SignJWT({ nonce: 'n' }).setProtectedHeader({ alg: 'RS256', kid: key.kid }).setSubject('1')
        .setIssuer(issuer).setAudience('client').setIssuedAt().setExpirationTime('5m').sign(key.privateKey)
    })
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(await answers[url]()))
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const execute = [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks]
const used = await oidc.discovery(
  new URL(`http://127.0.0.1:${server.address().port}`), 'client', 'secret', undefined, { execute }
)
async function exchange (name, config) {
  const back = new URL('http://127.0.0.1/callback?code=c&state=s')
  const checks = { expectedState: 's', expectedNonce: 'n', pkceCodeVerifier: 'v'.repeat(43) }
  await oidc.authorizationCodeGrant(config, back, checks)
    .then(() => console.log(`${name}: accepted`), ({ code }) => console.log(`${name}: ${code}`))
}
await exchange('before', used)
key = await newKey('two')
await exchange('rotated', used)
oidc.setJwksCache(used, { jwks: await published(key), uat: Math.floor(Date.now() / 1000) })
await exchange('rotated, setJwksCache', used)
const fresh = new oidc.Configuration(used.serverMetadata(), 'client', 'secret')
for (const extension of execute) extension(fresh)
await exchange('rotated, new Configuration', fresh)
server.close()
server.closeAllConnections()
JS
node rotate.mjs | tee seen
diff seen - << 'TEXT'
before: accepted
rotated: OAUTH_KEY_SELECTION_FAILED
rotated, setJwksCache: OAUTH_KEY_SELECTION_FAILED
rotated, new Configuration: accepted
TEXT

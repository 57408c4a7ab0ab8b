#!/usr/bin/env bash
# get-jwks 11.0.3 with fast-jwt 6.3.6.
# Expected: fast-jwt verifies EdDSA, and get-jwks fetches the key that a token's `kid` names, so an Ed25519 key of a JWK
# set works as a P-256 key does.
# Seen: get-jwks turns each key into PEM by jwk-to-pem, which knows no key type OKP. fast-jwt then says only
# "Cannot fetch key.", although the set was fetched and has the key. P-256 keys work.
#   ES256 verified
#   EdDSA FAST_JWT_KEY_FETCHING_ERROR Cannot fetch key.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund get-jwks@11.0.3 fast-jwt@6.3.6 jose@6.2.18 > /dev/null
cat > verify.mjs << 'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { generateKeyPairSync } from 'node:crypto'
import { createVerifier } from 'fast-jwt'
import buildGetJwks from 'get-jwks'
import { SignJWT } from 'jose'

for (const [alg, type, options] of [['ES256', 'ec', { namedCurve: 'P-256' }], ['EdDSA', 'ed25519', {}]]) {
  const { privateKey, publicKey } = generateKeyPairSync(type, options)
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg, use: 'sig' }]
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const domain = `http://127.0.0.1:${server.address().port}/`
  const token = await new SignJWT({}).setProtectedHeader({ alg, kid: 'one' }).setIssuer(domain).sign(privateKey)
  const jwks = buildGetJwks({ allowedDomains: [domain] })
  const key = async ({ header: { kid, alg } }) => await jwks.getPublicKey({ kid, alg, domain })
  await createVerifier({ key })(token).then(
    () => console.log(alg, 'verified'), ({ code, message }) => console.log(alg, code, message))
  server.close()
}
JS
node verify.mjs | tee seen
diff seen - << 'TEXT'
ES256 verified
EdDSA FAST_JWT_KEY_FETCHING_ERROR Cannot fetch key.
TEXT

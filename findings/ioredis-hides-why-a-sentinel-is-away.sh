#!/usr/bin/env bash
# ioredis 6.0.0 and 5.11.1 (npm).
# Expected: the events of a client with `sentinels` say why a sentinel cannot be reached, as those of a client with
# `host` do of a server.
# Seen: a closed port, a name that does not exist and a certificate that is not trusted are all "Connection is closed."
# ioredis has a listener for the reason, which forgets it.
#   server, closed port: connect ECONNREFUSED 127.0.0.1:1
#   sentinel, closed port: All sentinels are unreachable and retry is disabled. Last error: Connection is closed.
#   sentinel, unknown name: All sentinels are unreachable and retry is disabled. Last error: Connection is closed.
#   sentinel, untrusted: All sentinels are unreachable and retry is disabled. Last error: Connection is closed.
# Exits with 0 if it is still so.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem 2> /dev/null
cat > reasons.mjs << 'JS'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:tls'
import { Redis } from 'ioredis'

async function reason (options) {
  const redis = new Redis({ ...options, lazyConnect: true, retryStrategy: () => null, sentinelRetryStrategy: () => null })
  const failed = once(redis, 'error')
  redis.connect().catch(() => {})
  const [{ message }] = await failed
  redis.disconnect()
  return message
}
const server = createServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, () => {}).listen(0)
server.on('tlsClientError', () => {})
await once(server, 'listening')
const by = (host, port, more) => reason({ sentinels: [{ host, port }], name: 'main', ...more })
console.log('server, closed port:', await reason({ host: '127.0.0.1', port: 1 }))
console.log('sentinel, closed port:', await by('127.0.0.1', 1))
console.log('sentinel, unknown name:', await by('sentinel.invalid', 26379))
console.log('sentinel, untrusted:', await by('localhost', server.address().port, { sentinelTLS: {} }))
process.exit()
JS
for version in 6.0.0 5.11.1; do
  npm install --silent --no-audit --no-fund "ioredis@$version" > /dev/null
  output=$(node reasons.mjs)
  echo "ioredis $version"
  echo "$output"
  grep -q '^server, closed port: connect ECONNREFUSED' <<< "$output"
  [ "$(grep -c '^sentinel, .*Last error: Connection is closed\.$' <<< "$output")" = 3 ]
done

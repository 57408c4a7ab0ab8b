#!/usr/bin/env bash
# nodemailer 10.6.0 (npm).
# Expected: `connectionTimeout` says how long the connection may take to be established, as its documentation has it, and
# `greetingTimeout` how long the server may take for its greeting afterwards.
# Seen: `connectionTimeout` goes on counting until the end of STARTTLS and cuts the greeting short. A server that greets
# after 2 s is given up after 1 s, although the connection was there at once and the greeting may take 5 s. Who allows
# the five minutes of RFC 5321 in `greetingTimeout` also has to raise `connectionTimeout`, which is 2 minutes by default.
#   connectionTimeout 1 s, greetingTimeout 5 s: Greeting never received
#   connectionTimeout 9 s, greetingTimeout 5 s: sent
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund nodemailer@10.6.0 > /dev/null
cat > greeting.mjs << 'JS'
import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'
const server = createServer((socket) => {
  socket.on('error', () => {})
  setTimeout(() => socket.write('220 here I am\r\n'), 2000)
  let text = ''
  socket.on('data', (data) => {
    text += data
    const inData = /\r\nDATA\r\n/.test(text)
    if (inData && !text.endsWith('\r\n.\r\n') && !text.endsWith('DATA\r\n')) return
    socket.write(text.endsWith('DATA\r\n') ? '354 go on\r\n' : '250 ok\r\n')
  })
}).listen(0, '127.0.0.1', async () => {
  const { port } = server.address()
  for (const seconds of [1, 9]) {
    const transport = createTransport({
      host: '127.0.0.1', port, connectionTimeout: seconds * 1000, greetingTimeout: 5000
    })
    const result = await transport.sendMail({ from: 'a@b.example', to: 'c@d.example', text: 'hi' })
      .then(() => 'sent', error => error.message)
    console.log(`connectionTimeout ${seconds} s, greetingTimeout 5 s: ${result}`)
  }
  process.exit()
})
JS
node greeting.mjs | tee seen
diff seen - << 'TEXT'
connectionTimeout 1 s, greetingTimeout 5 s: Greeting never received
connectionTimeout 9 s, greetingTimeout 5 s: sent
TEXT

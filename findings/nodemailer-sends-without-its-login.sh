#!/usr/bin/env bash
# nodemailer 10.6.0 (npm).
# One expects: with `auth: { user, pass }`, sendMail() logs in, or fails where the server offers no login.
# What happens: if EHLO offers no AUTH, the mail is sent without a login, and sendMail() resolves with 250.
# Output seen:
#   no AUTH offered: sent (250 ok), after EHLO,MAIL,RCPT,DATA
# Exits with 0 if it is still so, and with 1 if the behaviour changed.
set -euo pipefail

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-save --no-audit --no-fund --prefix . nodemailer@10.6.0 >/dev/null

cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import nodemailer from 'nodemailer'

async function talk () {
  const words = []
  const server = createServer((socket) => {
    let inMail = false
    socket.on('error', () => {}).write('220 test\r\n')
    createInterface(socket).on('line', (line) => {
      if (inMail && line !== '.') return
      const word = /^\w*/.exec(line)[0]
      if (word) words.push(word)
      inMail = word === 'DATA'
      const answers = { EHLO: '250-test\r\n250 8BITMIME', DATA: '354 go on' }
      socket.write(`${answers[word] ?? '250 ok'}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = nodemailer.createTransport({
    host: '127.0.0.1', port: server.address().port, ignoreTLS: true, auth: { user: 'user', pass: 'password' }
  })
  const result = await transport.sendMail({ from: 'a@example.org', to: 'b@example.org', text: 'x' })
    .then(({ response }) => `sent (${response})`, error => error.message)
  server.close()
  return `${result}, after ${words}`
}

console.log('no AUTH offered:', await talk())
process.exit()
JS

output=$(node try.mjs)
echo "$output"
grep -q '^no AUTH offered: sent (250 ok), after EHLO,MAIL,RCPT,DATA' <<<"$output" || exit 1

#!/usr/bin/env bash
# nodemailer 10.6.0 (npm).
# One expects: a transport with `auth: { user, pass }` logs in by a way that the server offers, or sendMail() fails.
# What happens: if EHLO offers no AUTH, the mail is sent without a login, and sendMail() resolves with 250. If EHLO
# offers AUTH XOAUTH2 alone, the password is sent by AUTH PLAIN, which is not offered.
# Output seen:
#   no AUTH offered: sent (250 ok), after EHLO,MAIL,RCPT,DATA
#   AUTH XOAUTH2 offered: Invalid login: 504 no such way, after EHLO,AUTH PLAIN
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

async function talk (offers) {
  const words = []
  const server = createServer((socket) => {
    let inMail = false
    socket.on('error', () => {}).write('220 test\r\n')
    createInterface(socket).on('line', (line) => {
      if (inMail && line !== '.') return
      const word = /^AUTH \w+|^\w*/.exec(line)[0]
      if (word) words.push(word)
      inMail = word === 'DATA'
      const answers = { EHLO: `250-test\r\n250 ${offers}`, 'AUTH PLAIN': '504 no such way', DATA: '354 go on' }
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

console.log('no AUTH offered:', await talk('8BITMIME'))
console.log('AUTH XOAUTH2 offered:', await talk('AUTH XOAUTH2'))
process.exit()
JS

output=$(node try.mjs)
echo "$output"
grep -q '^no AUTH offered: sent (250 ok), after EHLO,MAIL,RCPT,DATA' <<<"$output" || exit 1
grep -q '^AUTH XOAUTH2 offered: .*, after EHLO,AUTH PLAIN' <<<"$output" || exit 1

// doctor does with the mail server what a mail does, up to the sender, sends none, and says what to set.

import t from 'tap'
import { readConfig } from '#src/config/load.js'
import { mailServerChecks } from '#src/doctor/mail-server-checks.js'
import { freePort } from '../fixtures/redis.js'
import { startScripted, startSmtp } from '../fixtures/smtp.js'
import { until } from '../fixtures/until.js'

const examine = async (SMTP_URL: string) => {
  const config = readConfig({ SMTP_URL, PUBLIC_URL: 'https://login.school.example', MAIL_FROM: 'Gate <gate@s.example>' })
  return await mailServerChecks({ config, timeUp: AbortSignal.timeout(9000) })['mail-server']!()
}

t.test('it connects, logs in and names the sender, which it takes back', async (t) => {
  const { url, lines, port } = await startScripted(t, { EHLO: '250-x\r\n250 AUTH PLAIN', AUTH: '235 ok' })

  t.match(await examine(url.replace('//', '//gate:secret@')), {
    status: 'ok', found: `the mail server 127.0.0.1:${port} lets gate in, and takes mails from Gate <gate@s.example>`
  })

  await until(() => lines.includes('QUIT'))
  t.same(lines.map(line => line.replace(/(PLAIN) .*/, '$1')), [
    'EHLO login.school.example', 'AUTH PLAIN', 'MAIL FROM:<gate@s.example>', 'RSET', 'QUIT'
  ])
})

t.test('a server that is away, lets nobody in, or refuses the sender needs action, in its words', async (t) => {
  const smtp = await startSmtp(t, { login: { username: 'gate', password: 'right' } })
  const strict = await startScripted(t, { MAIL: '550 5.7.60 Client lacks the right to send as this sender' })
  const action = { status: 'action' as const }

  t.match(await examine(`smtp://127.0.0.1:${await freePort()}`), {
    ...action, found: /takes no mails: .*ECONNREFUSED/, remedy: /SMTP_URL names the host/
  })
  t.match(await examine(smtp.url.replace('//', '//gate:wrong@')), {
    ...action, found: /takes no mails: Invalid login: 535 wrong$/, remedy: /user and password in SMTP_URL/
  })
  t.match(await examine(strict.url), {
    ...action, found: /refuses the sender gate@s\.example: 550 5\.7\.60 Client/, remedy: /set MAIL_FROM/
  })
  t.match(await examine(strict.url.replace('smtp:', 'smtps:')), { ...action, found: /use smtp:\/\/ for port 587/ })
})

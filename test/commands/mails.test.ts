// `gatehouse mails test` sends one mail as the replicas would, and shows what the mail server said.

import t from 'tap'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { refuse, startSmtp } from '../fixtures/smtp.js'

const login = { username: 'gatehouse', password: 'x8Kq2fLw9ZsTn4Vb7Rm1' }
const smtp = await startSmtp(t, { login })
const settings = {
  DATA_DIR: newDirectory(t),
  PUBLIC_URL: 'https://login.school.example',
  SMTP_URL: smtp.url.replace('//', `//${login.username}:${login.password}@`),
  APP_NAME: 'School ERP'
}
const sendTest = async (args: string[], changes = {}) =>
  await command(['mails', 'test', ...args], { ...settings, ...changes })

t.test('a test mail is sent at once, in the language that is asked for, and the talk shows no secret', async (t) => {
  const { code, stdout } = await sendTest(['asha@pupils.example', '--language', 'hi'])

  t.equal(code, 0)
  t.match(smtp.mails.pop(), {
    recipients: ['asha@pupils.example'], email: { subject: /\p{Script=Devanagari}/u, text: /School ERP/ }
  })
  t.match(stdout, /^> AUTH PLAIN …\n< 235 .*\n.*> MAIL FROM:<gatehouse@login\.school\.example>\n.*< 250 /ms)
  t.match(stdout, /took the mail to asha@pupils\.example, from gatehouse@login/)
  t.notMatch(stdout, btoa(`\0${login.username}\0${login.password}`))
})

t.test('a refusal ends it with the server\'s words and exit code 1; a wrong call sends nothing', async (t) => {
  smtp.on.recipient = refuse(550, '5.7.1 relaying denied')
  const refused = await sendTest(['asha@pupils.example', '--json'])
  smtp.on = {}

  t.match(refused, { code: 1, stderr: /^gatehouse: no mail was sent: .*550 5\.7\.1 relaying denied\n$/ })
  t.match(JSON.parse(refused.stdout), { address: 'asha@pupils.example', sent: false, failure: /relaying denied/ })
  t.match(await sendTest(['asha']), { code: 2, stderr: /ADDRESS must be an address/ })
  t.match(await sendTest(['a@b.example', '--language', 'xx']), { code: 2, stderr: /must be en or hi/ })
  t.match(await sendTest(['a@b.example'], { SMTP_URL: '' }), { code: 0, stdout: /SMTP_URL is not set: .* is a file/ })
  t.same(smtp.mails, [])
})

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { letter, letterToSeveral } from '../src/mail/letters.js'
import { languageOf, readLanguages } from '../src/languages/languages.js'
import { createMailer } from '../src/mail/mailer.js'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { freePort } from '../test/fixtures/redis.js'
import { until } from '../test/fixtures/until.js'
import { atMost, type Part } from './report.js'

/** Whatever asks the network, or learns, or waits: the score is of the mail alone. */
const OFF = [
  'arc', 'asn', 'dkim', 'dmarc', 'fuzzy_check', 'greylist', 'hfilter', 'history_redis', 'mx_check', 'neural',
  'phishing', 'ratelimit', 'rbl', 'replies', 'spf', 'surbl'
]
const KINDS = ['password_reset', 'password_changed', 'invitation', 'test', 'accounts'] as const
const USERNAME = 'asha'

/**
 * Every mail in every language, as spam filters score it without a network. Assumed: the mail came over TLS from one
 * host with a name and a public address, without DKIM; APP_NAME is the default, LOGIN_URL is set, and the domains have
 * a public suffix. SpamAssassin counts 1.3 for addresses of documentation, and rspamd 5 for the suffix `.example`.
 */
export async function measureFilters (t: Lifetime): Promise<Part> {
  const part = {
    title: 'What spam filters say of each mail',
    note: 'The scores of the mails alone, without a network. rspamd greylists at 4, SpamAssassin marks at 5.',
    header: ['mail', 'language', 'rspamd', 'its symbols', 'SpamAssassin', 'its rules']
  }
  if (['rspamd', 'spamassassin'].some(name => spawnSync(name, ['--version']).status !== 0)) {
    return { ...part, note: 'Not measured: apt-get install rspamd spamassassin', rows: [], aims: [] }
  }
  const rspamd = await startRspamd(t)
  const rows: string[][] = []
  for (const kind of KINDS) {
    for (const code of readLanguages().keys()) {
      const file = await mailFile(t, kind, code)
      rows.push([kind, code, ...byRspamd(rspamd, file), ...bySpamAssassin(t, file)])
    }
  }
  const most = (column: number): number => Math.max(...rows.map(row => Number(row[column])))
  return {
    ...part,
    rows,
    aims: [atMost('the highest score of rspamd', 0.99, most(2)), atMost('of SpamAssassin', 0.99, most(4))]
  }
}

async function mailFile (t: Lifetime, kind: typeof KINDS[number], code: string): Promise<string> {
  const directory = newDirectory(t)
  const appName = 'gatehouse'
  const link = new URL(
    `https://login.example.org/reset-password#token=mC3vq0n3wX2l5pR8tY1uK4jH7gF0dS9aZ6xV3bN5mQ8&username=${USERNAME}`)
  const { send } = createMailer({ smtpUrl: undefined, from: 'gatehouse@login.example.org', appName, directory })
  const account = { username: USERNAME, hasPassword: kind !== 'invitation', link }
  const language = languageOf(readLanguages(), code)
  const wording = { appName, loginUrl: new URL('https://erp.example.org/login') }
  await send('asha@pupils.example.org', kind === 'accounts'
    ? letterToSeveral([account, { ...account, username: 'ravi' }], language, wording)
    : letter(kind, account, language, wording), 'mail')
  const file = join(directory, readdirSync(directory)[0]!)
  const received = [
    'Return-Path: <gatehouse@login.example.org>',
    'Received: from login.example.org (login.example.org [93.184.216.34])',
    '\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits))',
    '\t(No client certificate requested)',
    '\tby mx.example.org (Postfix) with ESMTPS id 4Xyz1234',
    `\tfor <asha@pupils.example.org>; ${new Date().toUTCString().replace('GMT', '+0000')}`, ''
  ].join('\r\n')
  writeFileSync(file, received + readFileSync(file, 'utf8'))
  return file
}

/** Debian's configuration, with a folder of its own, and one worker. @returns where it listens */
async function startRspamd (t: Lifetime): Promise<string> {
  const port = await freePort()
  const nowhere = await freePort()
  const directory = newDirectory(t)
  const settings = {
    ...Object.fromEntries(OFF.map(name => [`${name}.conf`, 'enabled = false;'])),
    'logging.inc': 'type = "console"; level = "error";',
    'options.inc': `dns { nameserver = ["127.0.0.1:${nowhere}"]; timeout = 0.1s; retransmits = 1; }`,
    'worker-normal.inc': `bind_socket = "127.0.0.1:${port}"; count = 1;`,
    'worker-controller.inc': 'enabled = false;',
    'worker-proxy.inc': 'enabled = false;'
  }
  mkdirSync(join(directory, 'local.d'))
  for (const [name, text] of Object.entries(settings)) writeFileSync(join(directory, 'local.d', name), text)
  // It gives up root for a user of its own, who writes its caches there.
  chmodSync(directory, 0o777)
  const user = process.getuid?.() === 0 ? ['-u', '_rspamd', '-g', '_rspamd'] : []
  const folders = ['LOCAL_CONFDIR', 'DBDIR', 'RUNDIR', 'LOGDIR'].map(name => `--var=${name}=${directory}`)
  const rspamd = spawn('rspamd', ['-f', '-i', ...user, '-c', '/etc/rspamd/rspamd.conf', ...folders], {
    stdio: 'ignore'
  })
  t.after(() => end(rspamd, 'SIGTERM'))
  await until(async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.destroy()
    return true
  })
  return `127.0.0.1:${port}`
}

interface Counted { name: string, score: number }

function byRspamd (host: string, file: string): [score: string, symbols: string] {
  const said = execFileSync('rspamc', ['-h', host, '--json', 'symbols', file], { encoding: 'utf8' })
  const { score, symbols } = JSON.parse(said) as { score: number, symbols: Record<string, Counted> }
  const counted = Object.values(symbols).filter(({ score }) => Math.abs(score) > 0.1)
  return [score.toFixed(2), counted.map(({ name, score }) => `${name} ${score.toFixed(2)}`).join(', ') || '-']
}

function bySpamAssassin (t: Lifetime, file: string): [score: string, rules: string] {
  const said = execFileSync('spamassassin', ['--local', '--test-mode', file], {
    encoding: 'utf8', env: { ...process.env, HOME: newDirectory(t) }, stdio: ['ignore', 'pipe', 'ignore']
  })
  const [, score = '', tests = ''] = /^X-Spam-Status: .*?score=(\S+).*?tests=(.*?)\s+autolearn/ms.exec(said) ?? []
  const rules = tests.replaceAll(/\s+/g, '').split(',').filter(name => !['HTML_MESSAGE', 'none'].includes(name))
  return [score, rules.join(', ') || '-']
}

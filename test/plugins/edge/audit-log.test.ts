// The audit log has every event of an account once, and nothing that happens to its file holds up a request.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '#src/config/load.js'
import { openAuditLog } from '#src/base/audit-log.js'
import { lostLines } from '#src/base/standard-output.js'
import { newUsername, startApp } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { seriesOf } from '../../fixtures/metrics.js'

const directory = newDirectory(t, { 'a-file': '' })
const AUDIT_LOG = join(directory, 'audit.log')
const { app, client, login, logs, user } = await startApp(t, { AUDIT_LOG })

const audited = (file = AUDIT_LOG): Array<Record<string, unknown>> =>
  readFileSync(file, 'utf8').split('\n').slice(0, -1).map(line => JSON.parse(line) as Record<string, unknown>)

t.test('an account event is a line of the audit log, and the same line of the log', async (t) => {
  const { username, password } = await user()
  const replies = [await login(client(), username, password), await login(client(), username, 'wrong horse battery')]
  const ids = replies.map(reply => reply.headers['x-request-id'])
  const lines = audited().filter(({ reqId }) => ids.includes(reqId as string))
  t.match(lines, [
    { event: 'authn_login_success', status: 200, actor: username, msg: 'request' },
    { event: 'authn_login_fail', status: 401 }
  ])
  for (const { time, level, ...line } of lines) {
    t.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.match(logs.filter(({ reqId }) => reqId === line.reqId), [line])
  }
  t.equal(statSync(AUDIT_LOG).mode & 0o777, 0o600)
})

t.test('1,500 requests without a token are a few log lines, and no event is lost among them', async (t) => {
  const { username, password } = await user()
  const address = client()
  for (let i = 0; i < 5; i++) await login(address, newUsername(), 'wrong horse battery')
  const [firstLine, firstAudited] = [logs.length, audited().length]
  const counted = async (): Promise<number> => (await seriesOf(app, 'gatehouse_http_request_duration_seconds'))
    .filter(({ labels, metricName }) =>
      metricName?.endsWith('_count') && [204, 403, 429].includes(Number(labels.status)))
    .reduce((sum, { value }) => sum + value, 0)
  const before = await counted()
  const startedMs = performance.now()
  const free = [
    () => login(address, username, password),
    () => app.inject({ url: '/api/auth/me', remoteAddress: address, headers: { origin: 'https://evil.example' } }),
    () => app.inject({
      method: 'OPTIONS',
      url: '/api/auth/login',
      remoteAddress: address,
      headers: { host: 'localhost', origin: 'http://localhost', 'access-control-request-method': 'POST' }
    })
  ]
  const seen: number[] = []
  for (let i = 0; i < 1500; i++) {
    const { statusCode } = await free[i % 3]!()
    seen.push(statusCode)
    if (i % 150 === 0) t.equal((await login(client(), username, password)).statusCode, 200)
  }
  t.strictSame([...new Set(seen)], [429, 403, 204])
  const windows = Math.ceil((performance.now() - startedMs) / 10_000)
  const lines = logs.slice(firstLine).filter(({ code }) => code !== undefined)
  const atOnce = lines.filter(({ msg }) => msg === 'request')
  t.match(atOnce, [
    { code: 'TOO_MANY_REQUESTS', status: 429, policy: 'login', event: 'excess_rate_limit_exceeded' },
    { code: 'FORBIDDEN', status: 403, client: address }, { code: 'PREFLIGHT', status: 204, client: address }
  ])
  t.equal(atOnce.length, 3)
  t.ok(lines.length <= 3 * (1 + windows), `${lines.length} lines in ${windows} windows`)
  t.equal(await counted() - before, 1500, 'the metrics count each')

  const written = audited().slice(firstAudited)
  t.strictSame(written.map(({ event }) => event), Array(10).fill('authn_login_success'))
  await app.close()
  const repeated = logs.slice(firstLine).filter(({ msg }) => msg === 'repeated requests')
  t.equal(
    repeated.reduce((sum, { count }) => sum + Number(count), atOnce.length), 1500, 'each is in one of the lines'
  )
  t.strictSame([
    ...new Set(repeated.map(({ client, policy, code }) => `${String(client)} ${String(policy)} ${String(code)}`))
  ].sort(), [
    `${address} login TOO_MANY_REQUESTS`, `${address} undefined FORBIDDEN`, `${address} undefined PREFLIGHT`
  ])
})

t.test('a moved audit log is created again; while it cannot be written, the log says so once', async (t) => {
  const own = newDirectory(t, { 'audit.log': '' })
  const second = await startApp(t, { AUDIT_LOG: join(own, 'audit.log') })
  const { username } = await second.user()
  const fail = async (): Promise<unknown> => await second.login(client(), username, 'wrong horse battery')
  await fail()
  renameSync(join(own, 'audit.log'), join(own, 'audit.log.1'))
  await fail()
  t.equal(audited(join(own, 'audit.log.1')).length, 1)
  t.equal(audited(join(own, 'audit.log')).length, 1)
  renameSync(own, `${own}-away`)
  t.after(() => renameSync(`${own}-away`, own))
  await fail()
  await fail()
  t.equal(second.logs.filter(({ code }) => code === 'audit_log_unavailable').length, 1)
  t.equal(second.logs.filter(({ event }) => event === 'authn_login_fail').length, 4, 'the log has every event')
})

t.test('what goes into a file that was deleted with its folder is counted as lost', async (t) => {
  const own = newDirectory(t)
  const lines: object[] = []
  const note = (details: object): void => { lines.push(details) }
  const audit = openAuditLog(join(own, 'audit.log'), { error: note, info: note })!
  t.after(audit.close)
  audit.info({ event: 'first' }, 'request')
  const before = lostLines.audit
  rmSync(own, { recursive: true })
  audit.info({ event: 'second' }, 'request')
  t.equal(lostLines.audit, before + 1)
  mkdirSync(own)
  audit.info({ event: 'third' }, 'request')
  t.match(lines, [{ code: 'audit_log_unavailable' }, { code: 'audit_log_recovered', lost: 1 }])
})

t.test('an audit log that cannot be opened is a configuration fault of the service only', async (t) => {
  const faults: Array<[file: string, fault: RegExp]> = [
    [join(directory, 'nowhere', 'audit.log'), /AUDIT_LOG: cannot be written: ENOENT/],
    [directory, /AUDIT_LOG: cannot be written: .* is no file/],
    [join(directory, 'a-file', 'audit.log'), /AUDIT_LOG: cannot be written: ENOTDIR/]
  ]
  for (const [AUDIT_LOG, fault] of faults) {
    t.throws(() => readConfig({ AUDIT_LOG }, 'service'), fault)
    t.equal(readConfig({ AUDIT_LOG }).auditLog, AUDIT_LOG, 'a command does not write it')
  }
  readConfig({ AUDIT_LOG: join(directory, 'new.log') }, 'service')
  t.throws(() => statSync(join(directory, 'new.log')), { code: 'ENOENT' })
})

t.test('after a full disk the next event is a line of its own, and the log counts the lost ones', async (t) => {
  const directory = newDirectory(t, { 'audit.log': '{"level":30,"ti' })
  const file = join(directory, 'current')
  symlinkSync('/dev/full', file)
  const said: unknown[] = []
  const note = (details: object): void => { said.push(details) }
  const auditLog = openAuditLog(file, { error: note, info: note } as never)!
  const lostBefore = lostLines.audit
  auditLog.info({ event: 'authn_login_fail' }, 'request')
  auditLog.info({ event: 'authn_login_fail' }, 'request')
  rmSync(file)
  symlinkSync(join(directory, 'audit.log'), file)
  auditLog.info({ event: 'authn_login_success' }, 'request')
  t.match(said, [{ err: { code: 'ENOSPC' } }, { lost: 2 }])
  t.equal(lostLines.audit - lostBefore, 2)
  const [torn, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  t.equal(torn, '{"level":30,"ti')
  t.match(lines.map(line => JSON.parse(line) as object), [{ event: 'authn_login_success' }])
})

t.test('an error with a cause, both of any length, is a line of a few kilobytes', (t) => {
  const file = join(newDirectory(t), 'audit.log')
  const auditLog = openAuditLog(file, { error: t.fail, info: t.fail } as never)!
  auditLog.info({ err: new Error('x'.repeat(1_000_000), { cause: new Error('y'.repeat(1_000_000)) }) }, 'request')
  auditLog.close()
  t.match(audited(file), [{ err: { message: /^x{2000}…$/, stack: /^Error: x+…$/ } }])
  t.ok(statSync(file).size < 15_000, `${statSync(file).size} bytes`)
  t.end()
})

t.test('a process without free file descriptors loses no event, even while the file is moved', async (t) => {
  const own = newDirectory(t)
  const file = join(own, 'audit.log')
  const program = `
    import { closeSync, openSync, renameSync } from 'node:fs'
    import { openAuditLog } from '#src/base/audit-log.js'
    const note = (details, message) => console.log(message)
    const auditLog = openAuditLog(${JSON.stringify(file)}, { error: note, info: note })
    const held = []
    try { for (;;) held.push(openSync('/dev/null')) } catch (error) { console.log(error.code) }
    auditLog.info({ event: 'first' })
    renameSync(${JSON.stringify(file)}, ${JSON.stringify(`${file}.1`)})
    auditLog.info({ event: 'second' })
    for (const fd of held) closeSync(fd)
    auditLog.info({ event: 'third' })
    auditLog.close()`
  const said = execFileSync('sh', [
    '-c', 'ulimit -n 60; exec "$0" --input-type=module --eval "$1"', process.execPath, program
  ], { encoding: 'utf8' })
  t.strictSame(said.trimEnd().split('\n'), [
    'EMFILE',
    'the audit log cannot be written under its name: its events are in this log, and in the file that was moved away ' +
      'if there is one',
    'the audit log can be written again'
  ])
  t.strictSame(audited(`${file}.1`).map(({ event }) => event), ['first', 'second'])
  t.strictSame(audited(file).map(({ event }) => event), ['third'])
})

t.end()

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t, { type Test } from 'tap'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { testBalancer, testTls } from './compose-balancer.js'
import { patternOf } from './fixtures/blocks.js'
import {
  blocks, compose, configure, docker, gateway, prometheusUrl, replicas, scaleTo, secret, serving, startClient, url
} from './fixtures/compose.js'
import { newDirectory } from './fixtures/lifetime.js'
import { startLoad } from './fixtures/load.js'
import { patient } from './fixtures/timeouts.js'
import { until } from './fixtures/until.js'

/*
 * docker-compose.yml with the commands of README.md and docs/operations.md, as they are printed. Those that may lose no
 * request run under a load, while a client exceeds its limits. The load comes from this machine, which is exempt from
 * the limits here. Each client is a container beside the balancer.
 */

const credentials = { username: 'head.master', password: 'correct horse battery' }

const logIn = async (): Promise<Response> => await fetch(`${url}/api/auth/login`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials)
})

/** @returns of a login */
const newToken = async (): Promise<string> =>
  (await (await logIn()).json() as { data: { token: string } }).data.token

/** A row for each right on a table, on a database, and on tables to come. */
const ownersAndRights = `
  WITH owned (name, owner, rights) AS (
    SELECT relname, relowner, COALESCE(relacl, acldefault('r', relowner)) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT datname, datdba, COALESCE(datacl, acldefault('d', datdba)) FROM pg_database
    UNION ALL SELECT defaclobjtype::text, defaclrole, defaclacl FROM pg_default_acl
  ) SELECT name, owner::regrole, grantee::regrole, privilege_type FROM owned, aclexplode(rights) ORDER BY 1, 2, 3, 4`

const pause = async (ms: number): Promise<void> => { await new Promise(resolve => setTimeout(resolve, ms)) }

interface Step {
  /** Whether an answer to a login, other than the usual ones, is what the step makes unavoidable. */
  unavoidable?: (answer: string) => boolean
  /** How many replicas may also admit their local share, because Redis was unavailable. */
  onTheirOwn?: number
}

/** Does something to the service under load: the load loses no request, and the client gets its limits. */
async function underLoad (t: Test, act: () => Promise<unknown>, step: Step = {}): Promise<void> {
  const { unavoidable = () => false, onTheirOwn = 0 } = step
  const token = await newToken()
  const me = async (): Promise<Response> => {
    await pause(40)
    return await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  }
  const logInSometimes = async (): Promise<Response> => {
    await pause(300)
    return await logIn()
  }
  const stopRequests = startLoad(Array.from({ length: 8 }, () => me))
  const stopLogins = startLoad([logInSometimes])
  const { limited, stop: stopClient } = startClient()
  await limited
  const stalls = monitorEventLoopDelay()
  stalls.enable()
  const startedMs = performance.now()
  await act()
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  await pause(3000)
  const [requests, logins] = [await stopRequests(), await stopLogins()]
    .map(answers => Object.fromEntries<number>(answers))
  const client = await stopClient()

  t.comment(
    `${seconds} s, in which the machine kept this process waiting for ${Math.round(stalls.max / 1e6)} ms at most; ` +
      `the load: ${JSON.stringify({ requests, logins })}; the client: ${JSON.stringify(client)}`
  )
  t.ok(requests![200]! > 100 && logins![200]! > 5, 'there was a load')
  t.same(Object.keys(requests!), ['200'], 'no request of the load is lost')
  t.same(
    Object.keys(logins!).filter(answer => answer !== '200' && !unavoidable(answer)), [], 'no login of the load is lost'
  )
  for (const name of ['login', 'general'] as const) {
    const { answers: { 429: refused = 0, ...admitted }, forMs } = client[name]
    const { [name === 'login' ? 401 : 404]: tokens = 0, ...lost } = admitted
    t.same(
      Object.keys(lost).filter(answer => name !== 'login' || !unavoidable(answer)),
      [],
      `no ${name} request of the client is lost`
    )
    // Those may have taken a token, or not.
    const unanswered = Object.values(lost).reduce((sum, times) => sum + times, 0)
    const { capacity, refill, periodMs } = defaultLimits.policies[name]
    // The bounds have a tolerance of one second, because the client measures the time with its own clock.
    const limit = (ms: number): number => capacity + refill * Math.max(0, Math.floor(ms / periodMs))
    const most = limit(forMs + 1000) + (onTheirOwn && onTheirOwn * Math.ceil(capacity / onTheirOwn))
    t.ok(
      refused > 0 && tokens + unanswered >= limit(forMs - 1000) && tokens <= most,
      `${name}: ${tokens} requests admitted in ${forMs} ms, the limit is ${limit(forMs)}`
    )
  }
}

const engine = spawnSync('docker', ['compose', 'version']).status === 0 && spawnSync('docker', ['info']).status === 0

t.test('docker compose', {
  skip: engine ? false : 'there is no container engine here: docker-compose.yml was not tested'
}, async (t) => {
  const limits = { networks: { [`${gateway}/32`]: { login: 'exempt', general: 'exempt' } } }
  configure({ LIMITS_FILE: join(newDirectory(t, { 'limits.json': JSON.stringify(limits) }), 'limits.json') })
  const remove = async (): Promise<unknown> => await compose([
    '--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '3'
  ])
  await remove()
  t.teardown(async () => {
    if (!t.passing()) t.comment(await compose(['logs', '--no-color', '--tail', '15']))
    await remove()
  })

  await t.test('the printed commands build the image, start three replicas, and make the first account', async (t) => {
    const startedMs = performance.now()
    await blocks.shows(t, 'README.md', 'npm run compose:env', { input: credentials.password })
    const bytes = Number(await docker(['image', 'inspect', '--format', '{{.Size}}', 'gatehouse:local']))
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    t.comment(`up in ${seconds} s; the image has ${Math.round(bytes / 1e6)} MB`)
    await until(async () => await serving() === 3)
    t.equal((await logIn()).status, 200)
  })
  if (!t.passing()) return

  await t.test('a replica is not root, writes nowhere, and contains no secret file [S96]', async (t) => {
    const inside = async (...command: string[]): Promise<string> => await compose(['exec', '-T', 'api', ...command])
    t.equal(await inside('id', '-u'), '1000')
    await t.rejects(inside('touch', '/app/file'), /Read-only file system/)
    t.equal(await inside('find', '/app', '-mindepth', '1', '-maxdepth', '1', '-name', '.*'), '')
    t.notMatch(await docker(['image', 'inspect', 'gatehouse:local']), /_SECRET|PASSWORD/)
  })

  await t.test('the hashing threads of a replica yield to the one that answers', async (t) => {
    const priorities = 'for thread in /proc/[0-9]*/task/*; do grep -q libuv-worker $thread/comm && cut -d " " -f 19 ' +
      '$thread/stat; done; true'
    t.same((await compose(['exec', '-T', 'api', 'sh', '-c', priorities])).split('\n'), ['10', '10', '10', '10'])
  })

  await t.test('Redis and PostgreSQL need passwords and are not published; tables are protected [S97]', async (t) => {
    t.match(await compose(['exec', '-T', 'redis', 'redis-cli', 'ping']), /NOAUTH/)
    await t.rejects(compose([
      'exec', '-T', 'postgres', 'psql', '-h', 'postgres', '-U', 'gatehouse', '-w', 'gatehouse'
    ]), /no password/)
    const ids = (await compose(['ps', '--quiet', 'redis', 'postgres', 'api'])).split('\n')
    const published = '{{range .HostConfig.PortBindings}}published{{end}}'
    t.equal(await docker(['inspect', '--format', published, ...ids]), '')
    const asService = async (sql: string): Promise<string> => await compose([
      'exec', '-T', 'postgres', 'psql', `postgresql://gatehouse:${secret('database_password')}@127.0.0.1/gatehouse`,
      '-c', sql
    ])
    t.match(await asService('SELECT username FROM users'), credentials.username)
    await t.rejects(asService('CREATE TABLE more ()'), /permission denied/)
    await t.rejects(asService('DROP TABLE users'), /must be owner/)
  })

  await t.test('the operations port is not behind the balancer [S94]', async (t) => {
    for (const path of ['/metrics', '/readyz', '/livez']) t.equal((await fetch(`${url}${path}`)).status, 404, path)
  })

  await t.test('a student is admitted by the example module, which nobody but the replicas reaches', async (t) => {
    await blocks.shows(t, 'docs/operations.md', 'npm run compose:env -- --modules')
    await until(async () => await serving() === 3)
    const authorization = `Bearer ${await newToken()}`
    const admission = await fetch(`${url}/api/student/admission`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Asha Verma', dateOfBirth: '2008-02-29', programme: 'Physics' })
    })
    t.equal(admission.status, 201)
    const path = admission.headers.get('location')!
    const student = await fetch(url + path, { headers: { authorization } })
    t.match(await student.json(), { status: 200, data: { name: 'Asha Verma', dateOfBirth: '2008-02-29' } })
    t.equal((await fetch(url + path, { headers: { 'x-user-id': '1', 'x-user-role': 'ADMIN' } })).status, 401)

    const ip = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}'
    const addresses = await docker(['inspect', '--format', ip, await compose(['ps', '--quiet', 'student'])])
    const fromBalancer = async (address: string): Promise<string> => await compose([
      'exec', '-T', 'lb', 'sh', '-c',
      `timeout 3 wget -q -O /dev/null http://${address}:8080/healthz && echo in || echo out`
    ])
    t.same(await Promise.all(addresses.split(' ').map(fromBalancer)), ['out', 'out'])
    const program = 'fetch("http://student:8080/healthz").then(({ status }) => console.log(status))'
    t.equal(await compose(['exec', '-T', 'api', 'node', '-e', program]), '200')
    const metrics = program.replace('student:8080/healthz', 'api:9464/metrics')
    t.equal(await compose(['exec', '-T', 'student', 'node', '-e', metrics]), '403', 'nor does it read their metrics')
  })

  await t.test('the commands for operators print what their pages show', async (t) => {
    const setAppendOnly = async (value: string): Promise<unknown> => await compose(['exec', '-T', 'redis', 'sh', '-c',
      `REDISCLI_AUTH=$(cat /run/secrets/redis_password) redis-cli CONFIG SET appendonly ${value}`])
    await setAppendOnly('no')
    const { commands, output } = blocks.take('docs/operations.md', 'gatehouse doctor')
    const shown = patternOf(output.replace(/(?<=REDIS_TIMEOUT_MS is )\d+/, patient.REDIS_TIMEOUT_MS))
    // On a busy machine it may find that Redis does not answer in time.
    await until(async () => shown.test(await blocks.run(commands, { code: 1 })))
    await Promise.all([
      setAppendOnly('yes'),
      blocks.shows(t, 'docs/operations.md', 'logins --since 1h'),
      blocks.shows(t, 'docs/operations.md', '--profile monitoring')
    ])
  })

  await testBalancer(t)

  await t.test('Prometheus of the profile monitoring reads every replica', async (t) => {
    const query = `${prometheusUrl}/api/v1/query?query=${encodeURIComponent('sum(up{job="gatehouse"})')}`
    await until(async () => (await (await fetch(query)).text()).includes('"3"'))
    t.pass()
  })

  await t.test('scaling from three to five and back loses no request and admits nothing extra', async (t) => {
    await underLoad(t, async () => {
      for (const replicas of [5, 3]) {
        await scaleTo(replicas)
        await until(async () => await serving() === replicas)
      }
    })
  })

  await t.test('a release, replica by replica, loses no request and admits nothing extra', async (t) => {
    await underLoad(t, async () => {
      const old = await replicas()
      await blocks.shows(t, 'docs/operations.md', 'docker compose build api')
      t.same((await replicas()).filter(id => old.includes(id)), [], 'all are new')
    })
  })

  await t.test('a restart of Redis loses no request, and a replica admits no more than its local share', async (t) => {
    await underLoad(t, () => compose(['restart', 'redis']), { onTheirOwn: 3 })
  })

  await t.test('kill -9 of a replica loses only what it was answering and may not be repeated', async (t) => {
    // A login in flight may have taken effect, so the balancer does not send it again. It answers 502, or ends the
    // connection if it was used before, like a server that closes an idle connection.
    const kill = async (): Promise<void> => {
      await scaleTo(3)
      await docker(['kill', (await replicas())[0]!])
    }
    await underLoad(t, kill, { unavoidable: answer => ['502', 'other side closed'].includes(answer) })
    await scaleTo(3)
    await until(async () => await serving() === 3)
  })

  await t.test('the printed restore gives every table back with its rows, its owner and its rights', async (t) => {
    const asPrinted = async (part: string): Promise<void> => await blocks.shows(t, 'docs/runbook.md', part)
    const owned = async (): Promise<string> => await compose([
      'exec', '-T', 'postgres', 'psql', '-U', 'owner', 'gatehouse', '-Atc', ownersAndRights
    ])
    const before = await owned()

    await asPrinted('pg_dump')
    await compose(['exec', '-T', 'api', 'gatehouse', 'users', 'disable', credentials.username])
    await asPrinted('pg_restore')

    t.equal(await owned(), before)
    await asPrinted('docker compose up --detach --wait --scale')
    await until(async () => await serving() === 3)
    t.equal((await logIn()).status, 200, 'who was disabled after the backup can log in, as the page says')
  })

  await testTls(t)

  t.same(blocks.left(), [], 'each block that is marked `compose` has run')
})

// The state of the database is one: each place that tells of it says the same, and it changes only when it has changed.

import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { CheckResult } from '#src/doctor/run-checks.js'
import type { Replica } from '#src/limiter/fleet/replicas.js'
import { command } from '../fixtures/command.js'
import { startNetwork } from '../fixtures/network.js'
import { startOps } from '../fixtures/ops.js'
import { startPostgres } from '../fixtures/postgres.js'
import { startRedis } from '../fixtures/redis.js'
import { until } from '../fixtures/until.js'

const [postgres, redis] = await Promise.all([startPostgres(t), startRedis(t)])
const network = await startNetwork(t, postgres.port)
const environment = {
  DATABASE_URL: postgres.url.replace(`:${postgres.port}/`, `:${network.port}/`), REDIS_URL: redis.url
}
const { app, logs, ops } = await startOps(t, environment)
await app.listen({ port: 0 })

/** A second until a probe begins, half of one until the next, and what that one waits. */
const HELD_MS = 2500
const BUSY_MS = 3000

const readyz = async (): Promise<string> => (await ops.inject('/readyz')).json().database

async function metric (): Promise<number> {
  const [, value] = /^gatehouse_database_reachable (\d)$/m.exec((await ops.inject('/metrics')).body)!
  return Number(value)
}

async function heartbeat (): Promise<string | undefined> {
  const [key] = await redis.client.keys('gatehouse:replica:*')
  return (JSON.parse(await redis.client.get(key!) ?? '{}') as Partial<Replica>).states?.database?.value
}

/** With the way of this machine, which is not the replica's. */
async function doctor (): Promise<CheckResult[]> {
  const { stdout } = await command(['doctor', '--json'], { ...environment, DATABASE_URL: postgres.url })
  return (JSON.parse(stdout) as { findings: CheckResult[] }).findings.filter(({ check }) => check === 'database')
}

/** Of PostgreSQL, whoever meets its outage. */
const outageLines = (): unknown[] =>
  logs.map(({ code }) => code).filter(code => /^(?!redis).*(unavailable|recovered)$/.test(String(code)))

t.test('pauses of the replica itself are no outage of its database', async (t) => {
  for (let i = 0; i < 3; i++) {
    for (const endMs = performance.now() + 1200; performance.now() < endMs;);
    await setImmediate()
  }
  t.same(outageLines(), [])
})

t.test('when new connections hang, /readyz, metric, heartbeat and doctor all say so within seconds', async (t) => {
  t.same([await readyz(), await metric()], ['reachable', 1])

  network.mute = true

  const tookMs = await until(async () => await readyz() !== 'reachable')
  t.comment(`noticed after ${tookMs} ms`)
  t.ok(tookMs < HELD_MS + BUSY_MS)
  await until(async () => await heartbeat() === 'no new connections')
  t.same([await readyz(), await metric()], ['no new connections', 0])
  t.match(await ops.inject('/readyz'), { statusCode: 200 })
  t.match(await doctor(), [
    { status: 'ok', found: /^PostgreSQL at .* answers in/ },
    { status: 'action', found: /: PostgreSQL accepts no new connections.* \(.*\), since / }
  ])
})

t.test('a long outage has one line at each end, and a probe that has luck is not its end', async (t) => {
  for (let i = 0; i < 3; i++) {
    network.admits = 1
    await until(() => network.admits === 0)
    const before = network.hanging
    await until(() => network.hanging > before)
  }
  t.not(await readyz(), 'reachable')
  t.same(outageLines(), ['database_unavailable'])
  t.match(logs.find(({ code }) => code === 'database_unavailable'), { level: 50, reason: /./ })

  network.mute = false

  await until(async () => await readyz() === 'reachable')
  t.equal(await metric(), 1)
  t.same(outageLines(), ['database_unavailable', 'database_recovered'])
})

t.end()

import { once } from 'node:events'
import { renameSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { statusOf } from './clients.js'
import type { Fleet, Replica } from './fleet.js'
import type { Rehearsal } from './rehearsal.js'

/** Entries about replicas, the balancer and modules. */
const answers = async ({ replicas }: Fleet): Promise<boolean[]> => await Promise.all(replicas.map(({ opsUrl }) =>
  fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(1000) }).then(({ ok }) => ok, () => false)))

export const replicas: Rehearsal[] = [
  {
    name: 'all-down',
    entry: 'GatehouseDown',
    alert: 'GatehouseDown',
    critical: true,
    stagedBy: 'SIGKILL to every replica',
    stage: ({ replicas, kill }) => Promise.all(replicas.map(kill)),
    lasts: async fleet => !(await answers(fleet)).includes(true),
    answers: [0, 502, 503],
    shows: { 'docker compose ps': /Exited/ },
    cure: ['docker compose up --detach --wait'],
    recovers: 'within 5 s'
  },
  {
    name: 'replica-hangs',
    entry: 'GatehouseReplicaDown',
    alert: 'GatehouseReplicaDown',
    stagedBy: 'SIGSTOP to a replica',
    stage: async ({ replicas }) => replicas[1]!.server!.signal('SIGSTOP'),
    lasts: async fleet => (await answers(fleet)).includes(false),
    answers: [0, 502, 503, 504],
    shows: { 'docker compose ps --all api': /gatehouse-api-2/ },
    cure: ['docker restart --time'],
    values: (_, { replicas }) => ({ CONTAINER: replicas[1]!.name }),
    recovers: 'within 5 s'
  },
  {
    name: 'keys-differ',
    entry: 'It comes and goes',
    stagedBy: 'a replica that was restarted with another secret',
    async stage ({ replicas, restart, directory }) {
      const JWT_SECRET_FILE = join(directory, 'another_jwt_secret')
      writeFileSync(JWT_SECRET_FILE, 'p3Hn8VwQ1zXk6TrY9mBc4LsJd7GfE2uA')
      await restart(replicas[1]!, { JWT_SECRET_FILE })
    },
    lasts: async (fleet) => {
      const token = await fleet.tokenOf()
      const statuses = await Promise.all(fleet.replicas.map(replica => meAt(replica, token)))
      return statuses.some(status => status !== 200)
    },
    finds: { replicas: /^replica \S+ does not verify the tokens of the others.* -> .*JWT_SECRET/ },
    answers: [0, 401, 502, 503],
    cure: ['docker restart --time'],
    values: (_, { replicas }) => ({ CONTAINER: replicas[1]!.name }),
    recovers: 'within 5 s'
  },
  {
    name: 'replica-gone',
    entry: 'One replica is gone',
    stagedBy: 'SIGKILL to a replica',
    stage: ({ replicas, kill }) => kill(replicas[0]!),
    lasts: async fleet => (await answers(fleet)).includes(false),
    answers: [502],
    cure: [{ words: 'compose restarts it', act: ({ replicas, start }) => start(replicas[0]!) }],
    recovers: 'within 5 s'
  },
  {
    name: 'module-unreachable',
    entry: 'GatehouseModuleUnreachable',
    alert: 'GatehouseModuleUnreachable',
    critical: true,
    stagedBy: 'a module that has ended',
    stage: ({ module }) => module.stop(),
    lasts: async ({ metric }) => (await metric('gatehouse_module_breaker_open')).some(open => open > 0),
    logs: ['module_unavailable'],
    answers: [502],
    cure: ['docker compose up --detach MODULE'],
    values: () => ({ MODULE: 'student' }),
    recovers: 'within 5 s'
  },
  {
    name: 'errors',
    entry: 'GatehouseErrors',
    alert: 'GatehouseErrors',
    critical: true,
    stagedBy: 'PostgreSQL that hangs',
    stage: async ({ postgres }) => postgres.pause(),
    lasts: async fleet => (await fleet.logIn()).status === 503,
    answers: [503],
    cure: ['docker compose restart postgres'],
    recovers: 'within 2 s'
  },
  {
    name: 'restarts',
    entry: 'GatehouseRestarts',
    alert: 'GatehouseRestarts',
    stagedBy: 'SIGKILL to two replicas, again and again',
    async stage (fleet) {
      // Two restarts of a replica between two scrapes are one for Prometheus.
      for (const replica of fleet.replicas.slice(1)) fleet.keep(1500, () => killAndStart(fleet, replica))
    },
    lasts: async ({ replicas }) =>
      replicas.some(({ server }) => server === undefined) || performance.now() - startedAtMs < 5000,
    answers: [502],
    cure: [{ words: 'something killed the replica', act: fleet => fleet.rest() }],
    recovers: 'within 10 s'
  },
  {
    name: 'event-loop-busy',
    entry: 'GatehouseEventLoopBusy',
    alert: 'GatehouseEventLoopBusy',
    stagedBy: 'a replica that gets its core for half of the time',
    stage: async ({ keep, replicas }) => keep(300, async () => {
      replicas[0]!.server!.signal('SIGSTOP')
      await setTimeout(150)
      replicas[0]!.server!.signal('SIGCONT')
    }),
    lasts: async ({ metric }) => (await metric('nodejs_eventloop_lag_p99_seconds')).some(seconds => seconds > 0.05),
    cure: [{ words: 'Add replicas', act: fleet => fleet.rest() }],
    recovers: 'within 10 s'
  },
  {
    name: 'slow',
    entry: 'GatehouseSlow',
    alert: 'GatehouseSlow',
    stagedBy: 'a network to PostgreSQL that takes 0.6 s',
    stage: async ({ databaseNetwork }) => { databaseNetwork.delayReplies = 600 },
    lasts: async (fleet) => {
      const startedMs = performance.now()
      await fleet.me('none')
      await fleet.logIn({ username: 'nobody' })
      return performance.now() - startedMs > 550
    },
    finds: { database: /little is left|counts as unavailable/ },
    cure: [{
      words: 'Repair the one that is slow',
      act: async ({ databaseNetwork }) => { databaseNetwork.delayReplies = 0 }
    }],
    recovers: 'within 2 s'
  },
  {
    name: 'hash-queue-full',
    entry: 'GatehouseHashQueueFull',
    alert: 'GatehouseHashQueueFull',
    stagedBy: '100 logins a second',
    stage: async fleet => fleet.keep(10, n => fleet.logIn({ username: `nobody.${n}`, password: 'wrong horse' })),
    lasts: async fleet => (await fleet.metric('gatehouse_hash_queue_length')).some(waiting => waiting > 10),
    answers: [0, 503],
    cure: [{ words: 'wait until the flood is over', act: fleet => fleet.rest() }],
    recovers: 'within 10 s'
  },
  {
    name: 'hashes-slow',
    entry: 'GatehouseHashesSlow',
    alert: 'GatehouseHashesSlow',
    stagedBy: '100 logins a second',
    stage: async fleet => fleet.keep(10, n => fleet.logIn({ username: `nobody.${n}`, password: 'wrong horse' })),
    lasts: async fleet => (await fleet.metric('gatehouse_hash_queue_length')).some(waiting => waiting > 10),
    answers: [0, 503],
    cure: [{ words: 'wait until it is over', act: fleet => fleet.rest() }],
    recovers: 'within 10 s'
  },
  {
    name: 'module-slow',
    entry: '504 for one module',
    stagedBy: 'a module that does not answer',
    stage: async ({ module }) => { module.delayMs = 5000 },
    lasts: async ({ ask, tokenOf }) => {
      const headers = { authorization: `Bearer ${await tokenOf()}` }
      return await statusOf(ask('/api/student/marks', { headers })) === 504
    },
    answers: [502, 504],
    cure: ['docker compose restart MODULE'],
    values: () => ({ MODULE: 'student' }),
    recovers: 'within 5 s'
  },
  {
    name: 'not-http',
    entry: '`request` lines with a `code`',
    stagedBy: 'bytes that are not HTTP, ten times a second',
    stage: async ({ keep, replicas }) => keep(100, () => sendNonsense(Number(replicas[0]!.place.PORT))),
    lasts: grows('gatehouse_http_unread_requests_total'),
    cure: [{ words: 'Block the `client`', act: fleet => fleet.rest() }],
    recovers: 'within 5 s'
  },
  {
    name: 'slow-client',
    entry: '`request` lines with a `code`',
    stagedBy: 'half a request, twice a second',
    stage: async ({ keep, replicas }) => keep(500, () => sendHalf(Number(replicas[0]!.place.PORT))),
    lasts: grows('gatehouse_http_unread_requests_total', 'status="408"'),
    cure: [{ words: 'Nothing', act: fleet => fleet.rest() }],
    recovers: 'within 10 s'
  },
  {
    name: 'audit-log-gone',
    entry: 'GatehouseLogLinesLost',
    stagedBy: 'the folder of AUDIT_LOG is renamed',
    async stage (fleet) {
      renameSync(dirname(fleet.environment.AUDIT_LOG!), `${dirname(fleet.environment.AUDIT_LOG!)}-away`)
      await fleet.logIn({ username: 'nobody' })
    },
    lasts: async fleet => !(await eventIsWritten(fleet)),
    logs: ['audit_log_unavailable'],
    cure: [{
      words: 'Free the disk, or put the folder back',
      async act ({ environment }) {
        renameSync(`${dirname(environment.AUDIT_LOG!)}-away`, dirname(environment.AUDIT_LOG!))
      }
    }],
    recovers: 'within 2 s'
  }
]

let startedAtMs = 0

const meAt = async ({ place }: Replica, token: string): Promise<number> =>
  await statusOf(fetch(`http://127.0.0.1:${place.PORT}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } }))

async function killAndStart ({ kill, start }: Fleet, replica: Replica): Promise<void> {
  // The last start is still under way on a machine that is busy.
  if (replica.server === undefined) return
  await kill(replica)
  await start(replica)
  startedAtMs = performance.now()
}

/** Whether a counter grows: what it gained before this look says nothing about now. */
export function grows (name: string, ofSeries?: string, withinMs = 1000): Rehearsal['lasts'] {
  return async ({ metric }) => {
    const sum = async (): Promise<number> => (await metric(name, ofSeries)).reduce((total, one) => total + one, 0)
    const before = await sum()
    await setTimeout(withinMs)
    return await sum() > before
  }
}

async function sendNonsense (port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.end('\x16\x03\x01 this is no HTTP\r\n\r\n').resume()
  await once(socket, 'close')
}

/** @returns when the server has ended the connection */
async function sendHalf (port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET /api/auth/me HTTP/1.1\r\nHost:')
  socket.resume()
  await once(socket, 'close')
}

async function eventIsWritten ({ environment, logIn }: Fleet): Promise<boolean> {
  const length = (): number => statSync(environment.AUDIT_LOG!, { throwIfNoEntry: false })?.size ?? 0
  const before = length()
  await logIn({ username: 'nobody' })
  await setTimeout(200)
  return length() > before
}

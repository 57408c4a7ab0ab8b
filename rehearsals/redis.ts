import { setTimeout } from 'node:timers/promises'
import type { Fleet } from './fleet.js'
import type { Rehearsal } from './rehearsal.js'
import { grows } from './replicas.js'

/** Entries of "Redis". */
const fallbackLimits = async ({ metric }: Fleet): Promise<boolean> =>
  (await metric('gatehouse_limiter_fallback_active')).some(nodes => nodes > 0)

const LIMITS_KEY = 'gatehouse:limits'
const CANARIES = 'gatehouse:bucket:canary:*'

/** A restricted user of Redis gets or loses rights; its connections are made anew. */
async function setRights ({ redis: { client } }: Fleet, ...rights: string[]): Promise<void> {
  await client.call('ACL', 'SETUSER', 'gatehouse', ...rights)
  await client.call('CLIENT', 'KILL', 'USER', 'gatehouse')
}

const password = ({ environment }: Fleet): string => new URL(environment.REDIS_URL!).password

export const redis: Rehearsal[] = [
  {
    name: 'redis-frozen',
    entry: 'GatehouseRedisUnavailable',
    alert: 'GatehouseRedisUnavailable',
    critical: true,
    stagedBy: 'SIGSTOP to Redis',
    stage: async ({ redis }) => redis.process.kill('SIGSTOP'),
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    finds: { redis: /is unavailable/ },
    shows: { 'docker compose logs api | grep redis_unavailable': /"err"/ },
    cure: ['docker compose restart redis'],
    recovers: 'within 2 s'
  },
  {
    name: 'redis-down',
    entry: 'GatehouseRedisUnavailable',
    stagedBy: 'SIGKILL to Redis',
    stage: async ({ redis }) => redis.process.kill('SIGKILL'),
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    finds: { redis: /is unavailable/ },
    cure: ['docker compose restart redis'],
    recovers: 'within 2 s'
  },
  {
    name: 'redis-full',
    entry: '`OOM command not allowed` as the reason',
    alert: 'GatehouseRedisUnavailable',
    critical: true,
    stagedBy: 'a key of 3 MB of another application',
    async stage ({ redis: { client } }) {
      const [, used = ''] = /^used_memory:(\d+)/m.exec(await client.info('memory')) ?? []
      await client.config('SET', 'maxmemory-policy', 'noeviction')
      await client.set('erp:report-cache', 'x'.repeat(3 * 2 ** 20))
      await client.config('SET', 'maxmemory', Number(used) + 2 ** 20)
    },
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    finds: { 'redis-memory': /Redis is full.*first give it room.*CONFIG SET maxmemory.*erp:report-cache/ },
    shows: { 'redis-cli INFO memory': /maxmemory:/ },
    cure: ['redis-cli CONFIG SET maxmemory'],
    recovers: 'within 2 s',
    after: [
      'redis-cli --memkeys',
      { words: 'Give that application a Redis of its own', act: ({ redis }) => redis.client.del('erp:report-cache') },
      'redis-cli CONFIG SET maxmemory-policy volatile-ttl'
    ]
  },
  {
    name: 'redis-unstable',
    entry: 'GatehouseRedisUnstable',
    alert: 'GatehouseRedisUnstable',
    stagedBy: 'SIGSTOP to Redis for 0.7 s, every 2.4 s',
    stage: async fleet => fleet.keep(2400, async () => {
      fleet.redis.process.kill('SIGSTOP')
      await setTimeout(700)
      fleet.redis.process.kill('SIGCONT')
    }),
    lasts: grows('gatehouse_limiter_fallback_changes_total', '', 3000),
    logs: ['redis_unavailable', 'redis_recovered'],
    cure: [{ words: 'Give Redis a machine of its own', act: fleet => fleet.rest() }],
    recovers: 'within 5 s'
  },
  {
    name: 'redis-read-only',
    entry: '`READONLY` or `NOREPLICAS` as the reason',
    stagedBy: 'REPLICAOF a master that is gone',
    stage: ({ redis }) => redis.client.replicaof('127.0.0.1', 1),
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    cure: [{ words: 'Nothing', act: ({ redis }) => redis.client.replicaof('NO', 'ONE') }],
    recovers: 'within 2 s'
  },
  {
    name: 'redis-wrong-password',
    entry: 'REDIS_URL is wrong',
    stagedBy: 'another password in Redis',
    async stage (fleet) {
      await setRights(fleet, 'resetpass', '>another-password-of-redis')
      await fleet.redis.client.call('ACL', 'SAVE')
    },
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    finds: { redis: /WRONGPASS/ },
    cure: [{
      words: 'Correct REDIS_URL and restart the replicas one by one',
      async act (fleet) {
        fleet.environment.REDIS_URL = fleet.environment.REDIS_URL!.replace(password(fleet), 'another-password-of-redis')
        await fleet.restartOneByOne()
      }
    }],
    recovers: 'within 2 s'
  },
  {
    name: 'redis-rights',
    entry: 'Redis\'s user lacks a right',
    stagedBy: 'ACL SETUSER gatehouse -set',
    stage: fleet => setRights(fleet, '-set'),
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    finds: { 'redis-rights': /does not permit/ },
    cure: ['redis-cli ACL SETUSER'],
    values: (_, fleet) => ({ PASSWORD: password(fleet) }),
    recovers: 'within 2 s'
  },
  {
    name: 'replicas-uncounted',
    entry: 'Redis\'s user lacks a right',
    stagedBy: 'ACL SETUSER gatehouse -zadd',
    stage: fleet => setRights(fleet, '-zadd'),
    lasts: async ({ redis, replicas }) => await redis.client.zcard('gatehouse:replicas') < replicas.length,
    logs: ['replicas_uncounted'],
    finds: { 'redis-rights': /to count replicas/ },
    cure: ['redis-cli ACL SETUSER'],
    values: (_, fleet) => ({ PASSWORD: password(fleet) }),
    recovers: 'within 2 s'
  },
  {
    name: 'resets-unheard',
    entry: 'Redis\'s user lacks a right',
    stagedBy: 'ACL SETUSER gatehouse -subscribe',
    stage: fleet => setRights(fleet, '-subscribe'),
    lasts: isStillRefusedAfterReset,
    logs: ['resets_unheard'],
    finds: { 'redis-rights': /to hear of resets/ },
    cure: ['redis-cli ACL SETUSER'],
    values: (_, fleet) => ({ PASSWORD: password(fleet) }),
    recovers: 'within 5 s'
  },
  {
    name: 'publish-lacks',
    entry: '`Redis refuses: NOPERM` and `publish`',
    stagedBy: 'ACL SETUSER gatehouse -publish',
    stage: fleet => setRights(fleet, '-publish'),
    lasts: cannotAnnounce,
    finds: { 'redis-rights': /to reset and to announce it/ },
    cure: ['redis-cli ACL SETUSER'],
    values: (_, fleet) => ({ PASSWORD: password(fleet) }),
    recovers: 'within 2 s'
  },
  {
    name: 'redis-wrong-place',
    entry: 'REDIS_URL is wrong',
    stagedBy: 'a replica with another port in REDIS_URL',
    stage: ({ replicas, restart, environment }) =>
      restart(replicas[2]!, { REDIS_URL: environment.REDIS_URL!.replace(/\d+$/, '9') }),
    lasts: fallbackLimits,
    logs: ['redis_unavailable', 'redis_not_connected'],
    cure: ['docker restart --time'],
    values: (_, { replicas }) => ({ CONTAINER: replicas[2]!.name }),
    recovers: 'within 2 s'
  },
  {
    name: 'redis-no-database',
    entry: 'REDIS_URL is wrong',
    stagedBy: 'a replica with the database 99 in REDIS_URL',
    stage: ({ replicas, restart, environment }) =>
      restart(replicas[2]!, { REDIS_URL: `${environment.REDIS_URL}/99` }),
    lasts: fallbackLimits,
    logs: ['redis_unavailable'],
    cure: ['docker restart --time'],
    values: (_, { replicas }) => ({ CONTAINER: replicas[2]!.name }),
    recovers: 'within 2 s'
  },
  {
    name: 'limits-broken',
    entry: '`what somebody wrote as limits is not valid`',
    stagedBy: 'SET gatehouse:limits by hand',
    stage: ({ redis }) => redis.client.set(LIMITS_KEY, '{"version":99,"limits":{"policies":{"login":{"capacity":0}}}}'),
    lasts: async ({ redis }) => !(await redis.client.get(LIMITS_KEY))?.includes('a keepsake'),
    logs: ['limits_broken'],
    finds: { limits: /gatehouse:limits is not valid.*DEL gatehouse:limits/ },
    cure: ['redis-cli DEL gatehouse:limits'],
    recovers: 'within 2 s'
  },
  {
    name: 'limits-unread',
    entry: '`gatehouse_limits_version` differs between replicas',
    stagedBy: 'a list under gatehouse:limits',
    stage: ({ redis }) => redis.client.multi().del(LIMITS_KEY).lpush(LIMITS_KEY, 'no text').exec(),
    lasts: async ({ redis }) => await redis.client.type(LIMITS_KEY) !== 'string',
    logs: ['limits_unread'],
    cure: ['redis-cli DEL gatehouse:limits'],
    recovers: 'within 2 s'
  },
  {
    name: 'limits-restored',
    entry: '`Redis had lost version N of the limits`',
    stagedBy: 'DEL gatehouse:limits, as long as it lasts',
    stage: async fleet => fleet.keep(10, () => fleet.redis.client.del(LIMITS_KEY)),
    lasts: async ({ redis }) => await redis.client.exists(LIMITS_KEY) === 0,
    logs: ['limits_restored'],
    cure: [{ words: 'Nothing', act: fleet => fleet.rest() }],
    recovers: 'within 2 s'
  },
  {
    name: 'canary-failed',
    entry: 'GatehouseCanaryFailed',
    also: ['has in Redis the expiry -1 ms'],
    alert: 'GatehouseCanaryFailed',
    critical: true,
    stagedBy: 'a tool that removes expiries (PERSIST)',
    stage: async fleet => await removeExpiries(fleet),
    lasts: async ({ metric }) => (await metric('gatehouse_canary_ok')).includes(0),
    logs: ['canary_failed'],
    finds: { canary: /does not limit as it should \((0 of 3 takes|.*has in Redis the expiry -1 ms)/ },
    shows: { 'docker compose logs api | grep canary_failed': /expiry -1 ms|0 of 3 takes/ },
    cure: ['redis-cli CLIENT LIST', 'redis-cli CLIENT KILL'],
    values: output => ({ NUMBER: /id=(\d+).*cmd=persist/.exec(output)?.[1] ?? 'NUMBER' }),
    recovers: 'within 20 s'
  }
]

/** A client that one replica has refused, and whose bucket an operator fills. */
async function isStillRefusedAfterReset (fleet: Fleet): Promise<boolean> {
  const { place } = fleet.replicas[0]!
  const from = fleet.newAddress()
  const logIn = async (): Promise<number> => (await fetch(`http://127.0.0.1:${place.PORT}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ username: 'nobody', password: 'wrong horse' })
  })).status
  await Promise.all(Array.from({ length: 6 }, logIn))
  await fleet.shell(`gatehouse buckets reset login ${from}`)
  return await logIn() === 429
}

/** The entry's words must be what the command prints. */
async function cannotAnnounce (fleet: Fleet): Promise<boolean> {
  const from = fleet.newAddress()
  await fleet.redis.client.set(`gatehouse:bucket:login:${from}`, '1', 'PX', 2000)
  const said = await fleet.shell(`gatehouse buckets reset login ${from} 2>&1`, { mayFail: true })
  return /Redis refuses: NOPERM .*'publish'/.test(said)
}

/** As a tool does that copies keys without their expiry. It ends with its connection. */
async function removeExpiries ({ redis, keep }: Fleet): Promise<void> {
  const tool = redis.client.duplicate({ retryStrategy: () => null })
  tool.on('error', () => {})
  keep(20, async () => {
    for (const key of ['gatehouse:bucket:none', ...await redis.client.keys(CANARIES)]) await tool.persist(key)
  })
}

import type { Redis } from 'ioredis'
import { action, note, ok, type Finding } from '../base/finding.js'
import { masterNodes } from '../limiter/redis/cluster.js'
import { harmfulEviction, parseInfo, type Info } from '../limiter/redis/info.js'
import type { Checks, Deployment } from './run-checks.js'
import { foreignKeys } from './foreign-keys.js'
import { mayRun, missingRights } from './redis-rights.js'

const OLDEST_VERSION = 7
const [SCARCE, NEARLY_FULL] = [0.8, 0.95]

/** Settings and memory of Redis. Replicas themselves report whether it decides takes. */
export function redisChecks ({ redis, store, takeError, config }: Deployment): Checks {
  if (!redis) return {}
  const masters = masterNodes(redis)

  type Judge = (info: Info, node: Redis) => Finding | undefined | Promise<Finding | undefined>
  /** At most one result for each node. The node is named if there are several. */
  const onEachNode = (section: string, judge: Judge) => async (): Promise<Finding[]> =>
    (await Promise.all(masters.map(async (node) => {
      const result = await judge(parseInfo(await node.info(section)), node)
      const { host, port } = node.options
      return result && masters.length > 1 ? { ...result, found: `${host}:${port}: ${result.found}` } : result
    }))).flatMap(result => result ?? [])

  return {
    'redis-version': onEachNode('server', judgeVersion),
    'redis-memory': onEachNode('memory', (info, node) => judgeMemory(info, node, takeError !== undefined)),
    'redis-eviction': onEachNode('memory', judgeEviction),
    'redis-persistence': onEachNode('persistence', judgePersistence),
    'redis-rights': async () => {
      const missing = await missingRights(redis, store!, config)
      if (missing.length === 0) return ok('Redis permits all that the service does')
      return action(
        `Redis does not permit ${missing.join('; ')}`,
        'grant the "Redis rights" in docs/reference.md with ACL SETUSER, then ACL SAVE or CONFIG REWRITE; a command ' +
        'that it does not know was renamed by its provider, or its version is too old'
      )
    }
  }
}

/** Relatives of Redis report a version of Redis first, and then their own name and version. */
function judgeVersion ({ redis_version: version = '', server_name: name, ...info }: Info): Finding {
  if (version === '') return note('unknown: INFO names no version')
  const own = info[`${name}_version`]
  const shown = own === undefined ? `Redis ${version}` : `${name} ${own}, as Redis ${version}`
  if (Number.parseInt(version, 10) >= OLDEST_VERSION) return ok(shown)
  return action(`Redis ${version} lacks commands that the limiter uses`, 'upgrade Redis to 7.0 or later')
}

/** The limit of docker-compose.yml is 192 MB. */
const SMALL_BYTES = 128 * 2 ** 20
const EVICTS = 'evicts buckets, failed logins of accounts and heartbeats, so that limits start again'
const SET_POLICY = 'CONFIG SET maxmemory-policy volatile-ttl, and the same in redis.conf'

/** Memory for half as many buckets again. */
const roomFor = (bytes: number): string => `CONFIG SET maxmemory ${Math.ceil(1.5 * bytes / 2 ** 20)}mb`

const isFull = ({ used_memory: used, maxmemory }: Info): boolean => Number(used) / Number(maxmemory) > NEARLY_FULL

async function judgeMemory (info: Info, node: Redis, refuses: boolean): Promise<Finding> {
  const { used_memory: used = '', maxmemory = '', total_system_memory: machine = '' } = info
  const limit = Number(maxmemory) || Number(machine)
  if (used === '' || !limit) return note('unknown: INFO names no used memory and no limit')
  const part = Number(used) / limit
  const found = `${Math.ceil(Number(used) / 2 ** 20)} of ${Math.round(limit / 2 ** 20)} MB are used`
  const room = Number(maxmemory) === 0
    ? 'a larger machine'
    : `${roomFor(Math.max(Number(used), limit))}, and the same in redis.conf, or a larger machine`
  if (part > NEARLY_FULL) return await judgeFull(info, node, refuses, found, room)
  if (part > SCARCE) return note(`${found}: little is left`, `give it room: ${room}`)
  if (Number(maxmemory) === 0) {
    return note(`${found}, without a limit: Redis may take all of the machine's`,
      roomFor(Math.max(Number(used), SMALL_BYTES)))
  }
  return ok(found)
}

/** Memory comes first: an eviction policy that is set while Redis is full evicts buckets at once. */
async function judgeFull (
  { maxmemory_policy: policy }: Info, node: Redis, refuses: boolean, found: string, room: string
): Promise<Finding> {
  const cost = refuses ? ', and it refuses takes' : policy === 'volatile-ttl' ? `, and it ${EVICTS} (volatile-ttl)` : ''
  const who = await foreignKeys(node).catch((error: Error) => `who took it is unknown: ${error.message}`)
  const last = policy === 'volatile-ttl'
    ? ''
    : `. Only when it has room, because a full Redis then ${EVICTS}: ${SET_POLICY}`
  return action(`Redis is full: ${found}${cost}`,
    `first give it room, which evicts nothing: ${room}. Then, who took it: ${who}${last}`)
}

/** If Redis is full, `redis-memory` says what to do about the policy, too. */
function judgeEviction (info: Info): Finding | undefined {
  const { maxmemory = '', maxmemory_policy: policy = '' } = info
  if (maxmemory === '' || policy === '') return note('unknown: INFO names no maxmemory and policy')
  if (isFull(info)) return undefined
  if (harmfulEviction(info) === undefined) return ok(`a full Redis evicts what is nearest to full first (${policy})`)
  const found = policy === 'noeviction'
    ? 'a full Redis refuses writes (noeviction), and LIMITER_ON_REDIS_FAILURE applies'
    : `a full Redis evicts any bucket (${policy}), which gives its client a full one`
  return action(found, SET_POLICY)
}

const FORGETS = 'a restart of Redis forgets every bucket, so each client has a full one again'
const KEEP = 'CONFIG SET appendonly yes, and the same in redis.conf'

async function judgePersistence (info: Info, node: Redis): Promise<Finding> {
  const failing = [['aof_last_write_status', 'AOF'], ['rdb_last_bgsave_status', 'RDB']]
    .find(([field]) => (info[field!] ?? 'ok') !== 'ok')
  if (failing) {
    return action(`the last write of the ${failing[1]} failed: ${FORGETS}, or Redis refuses writes`,
      'see the log of Redis; free its disk')
  }
  if (info.aof_enabled === '1') return ok('every write is kept (appendonly)')
  if (info.aof_enabled === undefined) return note('unknown: INFO does not say what is kept')
  // The documented user may not read the setting. Then it is unknown whether Redis saves snapshots.
  const save = await mayRun(node, 'CONFIG', 'GET', 'save')
    ? (await node.config('GET', 'save') as string[])[1]
    : undefined
  if (save === undefined) {
    return note(`appendonly is off, and whether snapshots are made is unknown: without them ${FORGETS}`, KEEP)
  }
  if (save === '') return action(`neither appendonly nor save is on: ${FORGETS}`, KEEP)
  return note(`snapshots are kept (save ${save}): after a crash Redis has the buckets of the last one`, KEEP)
}

import type { Redis } from 'ioredis'
import { defaultLimits, policyNames, type PolicyName } from '#src/limiter/limits/policies.js'
import { ours, rivals, type Limiter } from './calls.js'
import { atMost, type Part } from './report.js'

/** Texts as long as those of clients get. */
const clients = ['192.168.100.200', '2001:db8:1234:5678::'].map(text => defaultLimits.clients.parse(text)!.key)

/** MEMORY USAGE of the keys that a client's first take leaves behind. */
export async function measureBucketBytes (redis: Redis): Promise<Part> {
  const rows: Array<[string, ...number[]]> = []
  for (const name of policyNames) {
    rows.push([`gatehouse, ${name}`, ...await bytesOf(redis, ours(1), name)])
  }
  for (const rival of rivals) rows.push([rival.name, ...await bytesOf(redis, rival, 'login')])

  const own = rows.flatMap(([name, ...bytes]) => name.startsWith('gatehouse') ? bytes : [])
  const login = rows[policyNames.indexOf('login')]!
  return {
    title: 'Redis: bytes a bucket',
    note: 'MEMORY USAGE after the first take of a client; the rivals under the login policy, with prefixes of ' +
      'their own.',
    header: ['', ...clients],
    rows: rows.map(row => row.map(String)),
    aims: [atMost('gatehouse, login, IPv4', 88, login[1]!), atMost('gatehouse, any', 104, Math.max(...own))]
  }
}

async function bytesOf (redis: Redis, limiter: Limiter, policy: PolicyName): Promise<number[]> {
  const bytes = []
  for (const client of clients) {
    await redis.flushall('SYNC')
    const [call] = await limiter.calls(defaultLimits.policies[policy], [client])
    const { lua, keys, args } = call!
    await redis.eval(lua, keys.length, ...keys, ...args)
    let sum = 0
    for (const key of await redis.keys('*')) sum += (await redis.memory('USAGE', key))!
    bytes.push(sum)
  }
  return bytes
}

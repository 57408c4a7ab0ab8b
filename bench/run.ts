import { availableParallelism, cpus } from 'node:os'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { startRedis } from '../test/fixtures/redis.js'
import { measureBackpressure } from './backpressure.js'
import { measureBucketBytes } from './bucket-bytes.js'
import { measureCapacity, measureCluster } from './capacity.js'
import { measureGateway } from './gateway.js'
import { measureHttp } from './http.js'
import { measureLockOut } from './lock-out.js'
import { measureNodeCpu } from './node-cpu.js'
import { measureRedisCpu } from './redis-cpu.js'
import { print, printPart, type Part } from './report.js'

const closers: Array<() => unknown> = []
const t: Lifetime = { after: close => { closers.unshift(close) } }
try {
  const { client: redis, url } = await startRedis(t)
  const parts: Record<string, () => Promise<Part | Part[]>> = {
    'redis-cpu': async () => [await measureRedisCpu(redis, 'login'), await measureRedisCpu(redis, 'general')],
    bytes: () => measureBucketBytes(redis),
    'node-cpu': () => measureNodeCpu(url),
    http: () => measureHttp(t, url),
    gateway: () => measureGateway(t, url),
    cluster: () => measureCluster(t, url),
    capacity: () => measureCapacity(t, url),
    backpressure: () => measureBackpressure(t, url),
    'lock-out': () => measureLockOut(t)
  }
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
  const unknown = names.find(name => !(name in parts))
  if (unknown !== undefined) {
    throw new Error(`There is no part "${unknown}"; these there are: ${Object.keys(parts).join(', ')}`)
  }

  const version = /^redis_version:(.*)$/m.exec(await redis.info('server'))![1]!.trim()
  print(
    `${availableParallelism()} cores (${cpus()[0]!.model.trim()}), Node ${process.versions.node}, Redis ${version}\n`
  )
  for (const name of names) for (const part of [await parts[name]!()].flat()) printPart(part)
} finally {
  for (const close of closers) await close()
}

import { availableParallelism, cpus } from 'node:os'
import { startRedis } from '../test/fixtures/redis.js'
import { measureBucketBytes } from './bucket-bytes.js'
import { measureHttp } from './http.js'
import { measureNodeCpu } from './node-cpu.js'
import { measureRedisCpu } from './redis-cpu.js'
import { print, printPart } from './report.js'

const closers: Array<() => unknown> = []
try {
  const { client: redis, url } = await startRedis({ after: (close: () => unknown) => { closers.unshift(close) } } as Parameters<typeof startRedis>[0])
  const version = /^redis_version:(.*)$/m.exec(await redis.info('server'))![1]!.trim()
  print(`${availableParallelism()} cores (${cpus()[0]!.model.trim()}), Node ${process.versions.node}, Redis ${version}\n`)
  printPart(await measureRedisCpu(redis, 'login'))
  printPart(await measureRedisCpu(redis, 'general'))
  printPart(await measureBucketBytes(redis))
  printPart(await measureNodeCpu(url))
  printPart(await measureHttp(url))
} finally {
  for (const close of closers) await close()
}

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { BucketStore } from '../../src/limiter/bucket.js'
import { openStore } from '../../src/limiter/store.js'
import { freePort, launch, startRedis } from '../fixtures/redis.js'

const policy = { name: 'login', capacity: 5, refill: 1, periodMs: 60_000 }
const [gone, back] = ['Redis does not decide: the fallback does', 'Redis decides again']

/** A network between the service and Redis, which can be made slow, cut (nothing arrives, nothing is told) or torn. */
async function startNetwork (t: Test, redisPort: number) {
  const network = { delayMs: 0, cut: false, port: 0, tear: () => { for (const socket of sockets) socket.destroy() } }
  const sockets = new Set<Socket>()
  const pipe = (from: Socket, to: Socket): void => {
    from.on('error', () => {}).on('close', () => to.destroy()).on('data', (bytes) => {
      setTimeout(() => { if (!network.cut && !to.destroyed) to.write(bytes) }, network.delayMs)
    })
  }
  const server = createServer((near) => {
    const far = connect(redisPort, '127.0.0.1')
    sockets.add(near).add(far)
    pipe(near, far)
    pipe(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  network.port = (server.address() as AddressInfo).port
  t.after(() => {
    server.close()
    network.tear()
  })
  return network
}

async function open (t: Test, port: number): Promise<{ store: BucketStore, lines: string[] }> {
  const lines: string[] = []
  const store = await openStore({ redisUrl: `redis://127.0.0.1:${port}`, onRedisFailure: 'local' }, {
    info: message => lines.push(message), warn: (_details, message) => lines.push(message), error: (_details, message) => lines.push(message)
  })
  t.after(() => store.close())
  return { store, lines }
}

async function until (claim: () => boolean | Promise<boolean>): Promise<void> {
  while (!await claim()) await new Promise(resolve => setTimeout(resolve, 10))
}

async function timeOf (work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round(performance.now() - started)
}

t.test('a Redis that takes 20 ms decides, and nobody falls back', async (t) => {
  const redis = await startRedis(t)
  const network = await startNetwork(t, redis.port)
  const { store, lines } = await open(t, network.port)
  network.delayMs = 20
  const verdicts = []
  for (let i = 0; i < 6; i++) verdicts.push((await store.take(policy, '192.0.2.1')).allowed)
  t.same(verdicts, [true, true, true, true, true, false])
  t.same(lines, [])
})

const faults: Record<string, { begin: (network: Awaited<ReturnType<typeof startNetwork>>) => void, end: (network: Awaited<ReturnType<typeof startNetwork>>) => void }> = {
  'takes 200 ms': { begin (network) { network.delayMs = 200 }, end (network) { network.delayMs = 0 } },
  'is cut off, without a word': { begin (network) { network.cut = true }, end (network) { network.cut = false; network.tear() } },
  'loses every connection, again and again': {
    begin (network) { network.cut = true; network.tear() }, end (network) { network.cut = false; network.tear() }
  }
}

for (const [fault, { begin, end }] of Object.entries(faults)) {
  t.test(`a Redis that ${fault} is waited for once, then not at all, and decides again when it is well`, async (t) => {
    const redis = await startRedis(t)
    const network = await startNetwork(t, redis.port)
    const { store, lines } = await open(t, network.port)
    await store.take(policy, '192.0.2.2')
    begin(network)
    const first = await timeOf(() => store.take(policy, '192.0.2.3'))
    t.same(lines.filter(line => line === gone).length, 1)
    const later = await timeOf(async () => { for (let i = 0; i < 1000; i++) await store.take(policy, `198.51.100.${i % 250}`) })
    // Generous, because the machine may be busy: a wait for Redis would be a hundred seconds.
    t.ok(first < 1000 && later < 2000, `the first took ${first} ms, a thousand more ${later} ms`)
    end(network)
    const again = await timeOf(async () => await until(() => lines.includes(back)))
    t.comment(`first decision after ${first} ms, a thousand more in ${later} ms, Redis used again after ${again} ms`)
    t.ok(again < 5000)
    t.same(lines.filter(line => line === gone || line === back), [gone, back])
    await until(async () => await redis.client.get('gatehouse:bucket:login:192.0.2.3') !== null)
  })
}

t.test('L60: a Redis that is loading its data is not waited for, and decides when it has', async (t) => {
  const port = await freePort()
  const directory = t.testdir()
  const data = ['--dir', directory, '--dbfilename', 'loading.rdb']
  const first = await startRedis(t, { port, args: data })
  const pipeline = first.client.pipeline()
  for (let i = 0; i < 2000; i++) pipeline.set(`ballast:${i}`, 'x'.repeat(100))
  await pipeline.exec()
  await first.client.save()
  const { store, lines } = await open(t, port)
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')

  const loading = launch('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...data, '--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'])
  t.after(async () => {
    loading.kill('SIGKILL')
    await once(loading, 'exit')
  })
  loading.stdout!.resume()
  await until(async () => {
    await store.take(policy, '192.0.2.4')
    return lines.includes(gone)
  })
  const took = await timeOf(async () => await until(() => lines.includes(back)))
  t.ok(took > 500, `it was loading for ${took} ms`)
  await until(async () => Number(await first.client.get('gatehouse:bucket:login:192.0.2.4').catch(() => 0)) >= 1)
})

t.end()

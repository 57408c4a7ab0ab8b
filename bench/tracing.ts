import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, ROUNDS, SECONDS, takeTurns } from './http.js'
import { fixed, median, medianRatio, type Part } from './report.js'
import { startService } from './service.js'

/** What traces add to a request that is admitted and then a 404: without a collector, with a few of them, with all. */
export async function measureTracing (t: Lifetime, redisUrl: string): Promise<Part> {
  const OTEL_EXPORTER_OTLP_ENDPOINT = await startSink(t)
  const share = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' }
  const environments = {
    'without a collector': {},
    'one trace in a hundred': { OTEL_EXPORTER_OTLP_ENDPOINT, ...share },
    'every trace': { OTEL_EXPORTER_OTLP_ENDPOINT }
  }
  const requests = [{ path: '/api/student', setupRequest: inTurn(testClients(CLIENTS)) }]
  const contenders = []
  for (const [name, environment] of Object.entries(environments)) {
    contenders.push(gatehouse(await startService(t, redisUrl, environment), name, requests, 404))
  }
  await takeTurns(contenders)

  const [off] = contenders
  return {
    title: 'Tracing: what it adds to a request',
    note: `CPU of the service, ${CONNECTIONS} in flight, ${CLIENTS} clients, ${SECONDS} s at a time; ` +
      `medians of ${ROUNDS} alternating rounds.`,
    header: ['', 'CPU µs', 'times without'],
    rows: contenders.map(({ name, samples }) => [
      name, fixed(median(samples)), fixed(medianRatio(samples, off!.samples))
    ]),
    aims: []
  }
}

/** A collector that discards everything. */
async function startSink (t: Lifetime): Promise<string> {
  const sink = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(sink, 'listening')
  t.after(() => {
    sink.close()
    sink.closeAllConnections()
  })
  return `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
}

import { newDirectory, type Lifetime } from '../fixtures/lifetime.js'
import { startServer } from '../fixtures/process.js'
import { fuzz } from './fuzz.js'

/* `npm run fuzz`: random conversations without end. Each fault is printed with its seed. FUZZ_SEED is the first one. */

/** With a new server for each round, which also tries its start and its end. */
const ROUND = 5000

let seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1e9)
process.stdout.write(`FUZZ_SEED=${seed}\n`)

for (let done = 0; ; seed += ROUND) {
  const startedMs = performance.now()
  const ends: Array<() => unknown> = []
  const lifetime = { after: (end: () => unknown) => { ends.unshift(end) } } as Lifetime
  const server = await startServer(lifetime, { DATA_DIR: newDirectory(lifetime) })
  const findings = await fuzz(server, { seed, count: ROUND })
  if (findings.length === 0 && await server.stop() !== 0) {
    findings.push(`FUZZ_SEED=${seed}: SIGTERM does not end it with 0`)
  }
  for (const end of ends) await end()
  done += ROUND
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  process.stdout.write(`${new Date().toISOString()} ${done} conversations, the last ${ROUND} in ${seconds} s\n`)
  if (findings.length > 0) {
    process.stdout.write(`${findings.join('\n')}\n`)
    process.exit(1)
  }
}

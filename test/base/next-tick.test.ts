import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

// As in a start, garbage is collected between few turns. Each way has a process of its own, because V8 never makes a
// slow turn fast again.
const program = `
  const run = turns => new Promise((resolve) => {
    const next = () => turns-- > 0 ? process.nextTick(next) : resolve()
    next()
  })
  for (let i = 0; i < 3; i++) {
    await run(50)
    await new Promise(resolve => setTimeout(resolve, 5))
    gc()
  }
  await run(200_000)
  const before = process.cpuUsage()
  await run(200_000)
  console.log(process.cpuUsage(before).user)
`

t.test('a turn of nextTick stays cheap when garbage is collected', async (t) => {
  const cpuUs = (...options: string[]): number => Number(execFileSync(process.execPath, [
    '--expose-gc', ...options, '--input-type=module', '--eval', program
  ], { encoding: 'utf8' }))
  const times = cpuUs() / cpuUs('--import', fileURLToPath(import.meta.resolve('#src/base/next-tick.js')))
  t.ok(times > 1.5, `without our module it takes ${times.toFixed(1)} times the CPU`)
})

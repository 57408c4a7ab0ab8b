import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** What a command took. */
export interface Used { wallS: number, cpuS: number, peakMiB: number }

/** Runs a command of gatehouse to its end, and reads what it used from /proc while it runs. */
export async function runCommand (args: string[], environment: NodeJS.ProcessEnv = {}): Promise<Used> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...environment }
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let [cpuS, peakMiB] = [0, 0]
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([ended, setTimeout(20)])
    try {
      const [user, system] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').slice(11)
      cpuS = (Number(user) + Number(system)) / 100
      peakMiB = Math.round(Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024)
    } catch {
      // The command has ended, and the last values are at most 20 ms old.
      break
    }
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: see above.`)
  return { wallS: (performance.now() - startedMs) / 1000, cpuS, peakMiB }
}

// Whatever happens to standard output, the process goes on, and no line is lost that fits into the memory for it.

import { execFileSync, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { end, newDirectory } from '../fixtures/lifetime.js'
import { until } from '../fixtures/until.js'

/** It logs for each line of its standard input, and answers once each such line was tried to be written. */
const program = `
  import { stat } from 'node:fs/promises'
  import { createInterface } from 'node:readline'
  import { createLog } from '#src/base/log.js'
  import { lostLines } from '#src/base/standard-output.js'
  const log = await createLog({ logLevel: 'info' })
  for await (const line of createInterface({ input: process.stdin })) {
    const [lines, length] = line.split(' ').map(Number)
    for (let i = 0; i < lines; i++) log.info('x'.repeat(length))
    for (let i = 0; i < 10; i++) await stat('.')
    process.stderr.write(JSON.stringify(lostLines) + '\\n')
  }`

function startLogger (t: Test, stdout: number) {
  const stdio: StdioOptions = ['pipe', stdout, 'pipe']
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio })
  const exited = once(child, 'exit')
  t.after(() => end(child))
  const answers: string[] = []
  createInterface({ input: child.stderr! }).on('line', line => answers.push(line))
  return {
    pid: child.pid!,
    /** @returns how many were lost so far */
    async log (lines: number, length: number): Promise<number> {
      const asked = answers.length
      child.stdin!.write(`${lines} ${length}\n`)
      await until(() => answers.length > asked, 'it goes on', 20_000)
      return (JSON.parse(answers.at(-1)!) as { output: number }).output
    },
    async end (): Promise<unknown> {
      child.stdin!.end()
      await until(() => child.exitCode !== null || child.signalCode !== null, 'it ends', 20_000)
      return (await exited)[0]
    }
  }
}

const linesOf = (text: string): Array<{ msg: string, lost?: number }> =>
  text.split('\n').slice(0, -1).map(line => JSON.parse(line) as { msg: string })

t.test('a process whose log is on a full disk goes on, and ends', async (t) => {
  const file = openSync('/dev/full', 'w')
  t.after(() => closeSync(file))
  const logger = startLogger(t, file)

  await logger.log(3, 100)
  await logger.log(3, 100)

  t.equal(await logger.end(), 0)
})

t.test('lines wait for room on the disk; what is beyond the memory for them is counted, in a line too', {
  skip: spawnSync('prlimit', ['--version']).status !== 0 && 'it needs prlimit of util-linux'
}, async (t) => {
  const file = join(newDirectory(t), 'log')
  const output = openSync(file, 'a')
  t.after(() => closeSync(output))
  const logger = startLogger(t, output)
  const allow = (bytes: number | string): unknown =>
    execFileSync('prlimit', ['--pid', String(logger.pid), `--fsize=${bytes}:`])
  await logger.log(1, 100)
  await until(() => readFileSync(file).length > 0)

  // The limit is in the middle of a line.
  allow(500)
  await logger.log(4, 150)
  const lost = await logger.log(20, 1024 * 1024)
  allow('unlimited')
  await until(() => readFileSync(file, 'utf8').includes('log_lines_lost'))
  await logger.log(1, 100)
  t.equal(await logger.end(), 0)

  const lines = linesOf(readFileSync(file, 'utf8'))
  t.equal(lost, 5)
  const lengths = [100, 150, 150, 150, 150, ...Array<number>(15).fill(2 ** 20), 5, 100]
  t.strictSame(lines.map(({ msg, lost }) => lost ?? msg.length), lengths)
})

t.test('lines wait for another reader of a pipe whose reader has ended', async (t) => {
  const pipe = join(newDirectory(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const first = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const output = openSync(pipe, 'w')
  t.after(() => closeSync(output))
  const logger = startLogger(t, output)
  closeSync(first)
  await logger.log(1, 100)
  await logger.log(2, 100)

  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => end(reader))
  let text = ''
  reader.stdout.on('data', (chunk: Buffer) => { text += chunk.toString() })
  await until(() => linesOf(text).length === 3)

  t.equal(await logger.end(), 0)
})

t.test('a reader that is slow gets every line whole, also those of the end', async (t) => {
  const pipe = join(newDirectory(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const input = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  t.after(() => closeSync(input))
  const output = openSync(pipe, 'w')
  const logger = startLogger(t, output)
  closeSync(output)
  // More than a pipe holds.
  await logger.log(3000, 200)

  const chunks: Buffer[] = []
  const ended = logger.end()
  for (let length; length !== 0;) {
    await setTimeout(10)
    length = readUpTo(64 * 1024)
  }

  t.equal(await ended, 0)
  t.equal(linesOf(Buffer.concat(chunks).toString()).length, 3000)

  /** @returns how many bytes were read; 0 once the writer has ended */
  function readUpTo (most: number): number {
    const buffer = Buffer.alloc(most)
    try {
      const length = readSync(input, buffer)
      chunks.push(buffer.subarray(0, length))
      return length
    } catch {
      return -1
    }
  }
})

t.end()

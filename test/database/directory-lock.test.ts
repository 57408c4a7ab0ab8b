// At most one process has the embedded database open, across kills, reused process ids and containers.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { lockDirectory } from '#src/database/directory-lock.js'
import { end, newDirectory } from '../fixtures/lifetime.js'
import { asPid1, noMounts, noNamespaces } from '../fixtures/namespaces.js'

const module = new URL('../../dist/database/directory-lock.js', import.meta.url).href

/** A process of its own that locks the directory, says so, and keeps it; or says why it cannot. */
function candidate (t: Test, directory: string, wrapper: string[] = []) {
  const program = `const { lockDirectory } = await import(process.argv[1])
    const keep = () => { console.log('locked ' + process.pid); setInterval(() => {}, 1000) }
    await lockDirectory(process.argv[2]).then(keep, ({ message }) => console.log(message))`
  const [command, ...args] = [...wrapper, process.execPath, '--input-type=module', '--eval', program, module, directory]
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => end(child))
  return { kill: () => end(child), said: once(child.stdout!, 'data').then(([line]) => String(line).trim()) }
}

t.test('a directory belongs to one process until it is released, and the error names the holder', async (t) => {
  // Longer than the address of a socket may be.
  const directory = join(newDirectory(t), 'x'.repeat(120), 'postgres')
  const { said } = candidate(t, directory)
  const [, pid] = /^locked (\d+)$/.exec(await said)!
  await t.rejects(lockDirectory(directory), new RegExp(
    `in use by process ${pid} of .+\\. Stop that process, or set DATA_DIR .+ DATABASE_URL`
  ))

  const other = join(newDirectory(t), 'postgres')
  const unlock = await lockDirectory(other)
  await unlock()
  await (await lockDirectory(other))()
  t.same(readdirSync(`${other}.lock`), [], 'nothing is left behind')
})

t.test('after kill -9 the next process gets the lock at once', async (t) => {
  const directory = join(newDirectory(t), 'postgres')
  const { said, kill } = candidate(t, directory)
  t.match(await said, /^locked/)
  await kill()
  t.equal(readdirSync(`${directory}.lock`).length, 1, 'the dead one left its socket')
  await (await lockDirectory(directory))()
  t.same(readdirSync(`${directory}.lock`), [])
})

t.test('two containers with one volume and the same process id cannot both get the lock', {
  skip: noNamespaces
}, async (t) => {
  const directory = join(newDirectory(t), 'postgres')
  const first = candidate(t, directory, asPid1)
  t.equal(await first.said, 'locked 1')
  t.match(await candidate(t, directory, asPid1).said, /in use by process 1 of /)
  await first.kill()
  t.equal(await candidate(t, directory, asPid1).said, 'locked 1')
})

t.test('of simultaneous processes at most one gets the lock that a dead one left', async (t) => {
  const directory = join(newDirectory(t), 'postgres')
  const program = `import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
    const { lockDirectory } = await import(process.argv[1])
    let held = 0
    mkdirSync(process.argv[2] + '.lock', { recursive: true })
    for (let i = 0; i < 60; i++) {
      writeFileSync(process.argv[2] + '.lock/gone-' + process.pid + i + '-00000000', '')
      const unlock = await lockDirectory(process.argv[2]).catch(() => {})
      if (!unlock) continue
      mkdirSync(process.argv[2] + '.critical')
      held++
      rmdirSync(process.argv[2] + '.critical')
      await unlock()
    }
    console.log(held)`
  const outcomes = await Promise.all([1, 2, 3].map(async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, module, directory], {
      stdio: ['ignore', 'pipe', 'pipe']
    })
    t.after(() => end(child))
    const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
    return stderr || Number(stdout)
  }))
  t.comment(`had it ${outcomes.join(', ')} of 60 times`)
  for (const held of outcomes) t.ok(Number(held) > 0, String(held))
})

t.test('on a file system without sockets the message says what to set', { skip: noMounts }, async (t) => {
  const directory = join(newDirectory(t), 'postgres')
  await (await lockDirectory(directory))()
  const readOnly = [
    'unshare', '--mount', 'sh', '-c', 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"',
    fileURLToPath(new URL(`file://${directory}.lock`))
  ]
  t.match(
    await candidate(t, directory, readOnly).said,
    /cannot be locked in .+: .*(EROFS|read-only).+Set DATA_DIR to a writable directory/
  )
})

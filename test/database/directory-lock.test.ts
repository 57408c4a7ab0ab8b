// At most one process has the embedded database open, across kills, reused process ids and containers.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { openDatabase } from '#src/database/database.js'
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
  const directory = join(newDirectory(t), 'postgres')
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

t.test('a dead holder\'s process id, reused by another process, does not hold the lock', async (t) => {
  const dataDir = newDirectory(t, { 'postgres.pid': String(process.ppid) })
  const database = await openDatabase({ databaseUrl: undefined, dataDir })
  await database.close()
  t.notOk(existsSync(join(dataDir, 'postgres.pid')))
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

t.test('of simultaneous processes exactly one gets the lock that a dead one left', async (t) => {
  const directory = join(newDirectory(t), 'postgres')
  const critical = join(directory, '..', 'critical')
  mkdirSync(`${directory}.lock`)
  let rounds = 0
  for (; rounds < 100; rounds++) {
    const dead = candidateName(rounds)
    writeFileSync(join(`${directory}.lock`, dead), '')
    const outcomes = await Promise.allSettled([1, 2, 3].map(async () => {
      const unlock = await lockDirectory(directory)
      mkdirSync(critical)
      await setTimeout(2)
      rmdirSync(critical)
      await unlock()
    }))
    const faults = outcomes.flatMap(outcome => outcome.status === 'rejected' ? [String(outcome.reason)] : [])
    if (faults.length > 2 || faults.some(fault => !fault.includes('in use by'))) t.fail(faults.join(' '))
  }
  t.equal(rounds, 100)
})

t.test('the same holds for processes that do not know of each other', async (t) => {
  const directory = join(newDirectory(t), 'postgres')
  const program = `import { mkdirSync, rmdirSync } from 'node:fs'
    const { lockDirectory } = await import(process.argv[1])
    let held = 0
    for (let i = 0; i < 60; i++) {
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

t.test('a path that is too long for a socket address works too', async (t) => {
  const directory = join(newDirectory(t), 'deep/'.repeat(60), 'postgres')
  const unlock = await lockDirectory(directory)
  await t.rejects(lockDirectory(directory), /in use by/)
  await unlock()
  await (await lockDirectory(directory))()
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

function candidateName (n: number): string {
  return `gone-${n}-00000000`
}

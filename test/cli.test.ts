// The gatehouse command as operators run it: buckets, limits and migrations, its exit codes, and its output in one line
// on a fault.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { writeBucket } from './fixtures/buckets.js'
import { command } from './fixtures/command.js'
import { newDirectory } from './fixtures/lifetime.js'
import type { Finished } from './fixtures/process.js'
import { freePort, startRedis } from './fixtures/redis.js'

const redis = await startRedis(t)
const { client } = redis
const gatehouse = (...args: string[]): Promise<Finished> => command(args, { REDIS_URL: redis.url })
const bucket = (name: string, lacked: number, fullInMs?: number): Promise<void> =>
  writeBucket(client, name, lacked, { fullInMs })

t.test('help is a page with examples, requested or not', async (t) => {
  for (const args of [[], ['--help'], ['help']]) {
    const { code, stdout } = await gatehouse(...args)
    t.equal(code, 0)
    t.match(stdout, /^USAGE\n.*Examples\n.*Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found\n.*COMMANDS\n/s)
  }
})

// B16
t.test('the help of one command, or of a group, is that one\'s alone', async (t) => {
  const one = await gatehouse('limits', 'set', '--help')
  t.equal(one.code, 0)
  t.match(one.stdout, /^USAGE\n {2}gatehouse limits set .*--capacity N.*--mode enforce\|off.*<POLICY>\n/)
  t.notMatch(one.stdout, /limits unset|--html/)
  for (const args of [['buckets'], ['buckets', '-h'], ['help', 'buckets']]) {
    const { code, stdout } = await gatehouse(...args)
    t.equal(code, 0)
    t.match(stdout, /buckets list.*buckets peek.*buckets top/s)
    t.notMatch(stdout, /limits set|users list/)
  }
  t.match(await gatehouse('doctor', '-h'), { code: 0, stdout: /gatehouse doctor .*--json/s })
})

t.test('--version prints the version of the package', async (t) => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

  t.match(await gatehouse('--version'), { code: 0, stdout: `gatehouse ${version}\n` })
  t.match(await gatehouse('version'), { code: 0, stdout: `gatehouse ${version}\n` })
})

t.test('commands, options, policies and modes are completed, as the commands declare them', async (t) => {
  const complete = async (line: string): Promise<string[]> =>
    (await gatehouse('--complete', ...line.split(' '))).stdout.trim().split('\n')

  t.same(await complete('bu'), ['buckets'])
  t.same(await complete('limits r'), ['rollback'])
  t.same(await complete('buckets peek forgot'), ['forgot-password'])
  t.same(await complete('buckets list --policy gen'), ['general'])
  t.same(await complete('limits set login --mode '), ['enforce', 'off'])
  t.same(await complete('users create asha --de'), ['--designation'])
  t.same(await complete('completion z'), ['zsh'])
  t.same(await complete('doctor --'), ['--', '--json'])
  t.same(await complete('nothing of this '), [''])
})

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const own = `gatehouse () { "${process.execPath}" "${cli}" "$@"; }`

t.test('bash asks for what may come next, also within a line', async (t) => {
  const { stdout } = await gatehouse('completion', 'bash')
  const ask = 'COMP_WORDS=(gatehouse buckets list --policy gen --json); COMP_CWORD=4; _gatehouse; echo $COMPREPLY'

  t.equal(execFileSync('bash', ['-euc', `${own}\n${stdout}\n${ask}`], { encoding: 'utf8' }), 'general\n')
})

t.test('zsh can read its completion', {
  skip: spawnSync('zsh', ['--version']).status !== 0 && 'it needs zsh'
}, async (t) => {
  const { stdout } = await gatehouse('completion', 'zsh')
  const stubs = 'compdef () {}; compadd () { shift; print -r -- $*; }\n'
  const ask = 'words=(gatehouse limits set login --mode ""); CURRENT=6; _gatehouse'

  const said = execFileSync('zsh', ['-fc', `${own}\n${stubs}${stdout}\n${ask}`], { encoding: 'utf8' })

  t.equal(said, 'enforce off\n')
})

t.test('a reset fills a bucket; exit code 3 means that there is none', async (t) => {
  await bucket('login:203.0.113.8', 5)
  const reset = await gatehouse('buckets', 'reset', 'login', '203.0.113.8')
  t.match(reset, { code: 0, stdout: 'The login bucket of 203.0.113.8 is full: 5 tokens.\n' })
  t.equal(await client.exists('gatehouse:bucket:login:203.0.113.8'), 0)
  const again = await gatehouse('buckets', 'reset', 'login', '203.0.113.8')
  t.match(again, { code: 3, stderr: 'gatehouse: there is no login bucket of 203.0.113.8: it has all its 5 tokens\n' })
})

t.test('wrong usage is exit code 2, with what is valid', async (t) => {
  const wrong: Array<[string[], RegExp]> = [
    [['bucket'], /No command registered for `bucket`, did you mean `buckets`\?/],
    [['toString'], /No command registered for `toString`/],
    [['limits', 'roolback'], /did you mean `rollback`\?/],
    [['usres', 'list'], /did you mean `users`\?/],
    [['docter'], /did you mean `doctor`\?/],
    [['buckets', 'list', '--polcy', 'login'], /No flag registered for --polcy, did you mean --policy\?/],
    [['completion', 'fish'], /fish is not one of \(bash\|zsh\)/],
    [['buckets', 'peek', 'login'], /Expected argument for ADDRESS\|USER/],
    [['buckets', 'peek', 'logon', '192.0.2.1'], /there is no policy "logon"; there are login, /],
    [['buckets', 'peek', 'login', 'localhost'], /"localhost" is not an address such as/],
    [['buckets', 'peek', 'login', '192.0.2.1', '--policy', 'login'], /No flag registered for --policy/],
    [['migrate', '--force'], /No flag registered for --force/]
  ]
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await gatehouse(...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.match(stderr, /^gatehouse: /)
    t.match(stderr, /See: gatehouse --help\n$/)
    t.equal(stdout, '')
  }
})

t.test('an output that cannot be written is exit code 1, in one line', {
  skip: !existsSync('/dev/full') && 'it needs /dev/full'
}, async (t) => {
  const { status, stderr } = spawnSync(
    'bash', ['-c', `exec "${process.execPath}" "${cli}" buckets list --json > /dev/full`],
    { env: { ...process.env, REDIS_URL: redis.url }, encoding: 'utf8' }
  )

  t.match({ status, stderr }, {
    status: 1, stderr: /^gatehouse: standard output cannot be written: ENOSPC[^\n]*\n$/
  })
  t.equal(spawnSync('bash', ['-c', `exec "${process.execPath}" "${cli}" nothing 2> /dev/full`]).status, 2)
})

t.test('a Node that is too old is refused in one sentence, by the server and the command', async (t) => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
  const directory = newDirectory(t, {
    'package.json': JSON.stringify({ ...manifest, engines: { node: '^10.5.0 || >=99.1.0' } })
  })
  cpSync(new URL('../dist', import.meta.url), join(directory, 'dist'), { recursive: true })
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(directory, 'node_modules'))
  cpSync(new URL('../lua', import.meta.url), join(directory, 'lua'), { recursive: true })
  for (const program of ['server', 'cli', 'base/node-version']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(directory, `dist/${program}.js`)], {
      encoding: 'utf8'
    })
    t.match({ status, stdout, stderr }, {
      status: 1,
      stdout: '',
      stderr: `gatehouse needs Node 10 from 10.5, or 99.1 or later; this is Node ${process.versions.node}.\n`
    }, program)
  }
  t.match(manifest.scripts.prestart, /^node src\/base\/node-version\.js && /, 'npm start asks before it builds')
})

t.test('limits check validates a file and prints what it sets', async (t) => {
  const directory = newDirectory(t, {
    'good.json': '{"policies":{"login":{"capacity":9,"refill":3,"period":"90s"}},' +
      '"networks":{"10.0.0.0/8":{"general":"exempt"}}}',
    'bad.json': '{"policies":{"login":{"capacity":9,"refill":0,"period":"soon"}}}'
  })
  const good = await gatehouse('limits', 'check', join(directory, 'good.json'))
  t.equal(good.code, 0)
  t.match(good.stdout, /^any {9}login {12}9 at once, then 3 every 90s$/m)
  t.match(good.stdout, /^10\.0\.0\.0\/8 {2}general {10}exempt$/m)
  const bad = await gatehouse('limits', 'check', join(directory, 'bad.json'))
  t.match(bad, { code: 1, stderr: /has 2 faults:\n {2}policies\.login\.refill: .*\n {2}policies\.login\.period: / })
  t.equal((await gatehouse('limits', 'check', join(directory, 'none.json'))).code, 3)
})

t.test('an unreachable server is exit code 1, in one line without a password', async (t) => {
  const port = await freePort()

  const { code, stderr } = await command(['buckets', 'list'], { REDIS_URL: `redis://ops:hunter2@127.0.0.1:${port}` })

  t.equal(code, 1)
  t.match(stderr, new RegExp(
    `^gatehouse: Redis at 127.0.0.1:${port}, from REDIS_URL, does not answer: connect ECONNREFUSED [^\\n]*\\n$`
  ))
  t.notMatch(stderr, /hunter2/)
  t.match(await command(['buckets', 'list']), { code: 1, stderr: /REDIS_URL is not set/ })
  t.match(await command(['migrate'], { DATABASE_URL: `postgresql://ops:hunter2@127.0.0.1:${port}/x` }), {
    code: 1, stderr: /the database could not be migrated/
  })
  t.match(await command(['buckets', 'list'], { REDIS_URL: 'localhost' }), {
    code: 1, stderr: /REDIS_URL: must look like/
  })
})

t.end()

// docs/runbook.md has a place for everything that asks an operator to act, and what the rehearsals need of it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tsImport } from 'tsx/esm/api'
import { proxySigns } from '#src/limiter/fleet/proxy-signs.js'
import { readPages, root } from './fixtures/markdown.js'

const pages = readPages()
const runbook = pages.get('docs/runbook.md')!
const source = (folder: string): string => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.startsWith('generated'))
  .map(name => readFileSync(join(root, folder, name), 'utf8')).join('\n')

t.test('each code that the log has at warn or above is explained in reference.md, and placed here', async (t) => {
  const levels = new Map([...pages.get('docs/reference.md')!.matchAll(/^\| `([a-z_]+)` \| (\w+) \|/gm)]
    .map(([, code, level]) => [code!, level!]))
  // A code stands beside its name, or in a table beside its level.
  const written = source('src').matchAll(/(?:\bcode: |\['(?:info|warn|error)', )'([a-z]+_[a-z_]+)'/g)
  const logged = [...Array.from(written, ([, code]) => code!), ...Object.keys(proxySigns)]

  t.ok(levels.size > 40 && logged.length > 40)
  t.same(logged.filter(code => !levels.has(code)), [], 'explained')
  t.same([...levels].filter(([code, level]) => /warn|error|fatal/.test(level) && !runbook.includes(`\`${code}\``)), [],
    'placed')
})

t.test('each check of doctor that may ask for action has a place', async (t) => {
  const checks = [...source('src/doctor').matchAll(/^ {4}'?([a-z-]+)'?: (?:async )?(?:\(|of[A-Z])/gm)]
    .map(([, name]) => name!)

  t.ok(checks.length > 20)
  t.same(checks.filter(name => !runbook.includes(`\`${name}\``)), [])
})

const load = async <Module>(name: string): Promise<Module> =>
  await tsImport(`../rehearsals/${name}.ts`, import.meta.url) as Module
const { rehearsals } = await load<typeof import('../rehearsals/all.js')>('all')

t.test('the page prints what each rehearsal takes from it', async (t) => {
  const { mustBePrinted } = await load<typeof import('../rehearsals/rehearsal.js')>('rehearsal')

  for (const one of rehearsals) t.doesNotThrow(() => mustBePrinted(one), one.name)
  t.equal(new Set(rehearsals.map(({ name }) => name)).size, rehearsals.length)
})

t.test('each entry with a cure is rehearsed, but for a fifth, and not-staged.md says why not', async (t) => {
  const { entries, isNamed } = await load<typeof import('../rehearsals/runbook.js')>('runbook')
  const played = rehearsals.flatMap(({ entry, alert = entry, also = [] }) => [entry, alert, ...also])
  const table = readFileSync(join(root, 'rehearsals/not-staged.md'), 'utf8')
  const excused = [...table.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name!)

  const notPlayed = entries().filter(title => !played.some(name => isNamed(title, name)))
  t.same(notPlayed.filter(title => !excused.some(name => isNamed(title, name))), [])
  t.same(excused.filter(name => !entries().some(title => isNamed(title, name))), [], 'the table names entries')
  t.ok(notPlayed.length <= entries().length / 5, `${notPlayed.length} of ${entries().length}`)
})

t.end()

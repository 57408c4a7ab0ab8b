// The fence between the rooms of src/ refuses imports that it should refuse, and allows the others.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import t from 'tap'
import config from '../.dependency-cruiser.js'
import { newDirectory } from './fixtures/lifetime.js'

const wrong: Array<[from: string, to: string]> = [
  ['src/base/errors.ts', 'src/limiter/store.ts'],
  ['src/limiter/fleet/canary.ts', 'src/auth/accounts.ts'],
  ['src/limiter/bucket/key.ts', 'src/limiter/redis/scripts.ts'],
  ['src/auth/sessions.ts', 'src/config/config.ts'],
  ['src/logins/login-tally.ts', 'src/simulate/replay.ts'],
  ['src/routes/me.ts', 'src/plugins/services/jwt.ts'],
  ['src/console/now.ts', 'src/ops.ts'],
  ['src/mail/mails.ts', 'node_modules/fastify/index.js'],
  ['src/commands/limits/show.ts', 'node_modules/pg/index.js'],
  ['src/modules/paths.ts', 'src/modules/upstream.ts']
]
const right: Array<[from: string, to: string]> = [
  ['src/commands/users/list.ts', 'node_modules/pg/index.js'],
  ['src/modules/upstream.ts', 'src/modules/paths.ts'],
  ['src/plugins/edge/cors.ts', 'node_modules/fastify/index.js'],
  ['src/app.ts', 'src/console/now.ts']
]

t.test('each of ten wrong imports is refused, and no right one', async (t) => {
  const directory = newDirectory(t)
  const imports = new Map<string, string[]>()
  for (const [from, to] of [...wrong, ...right]) {
    imports.set(from, [...imports.get(from) ?? [], to])
    imports.set(to, imports.get(to) ?? [])
  }
  for (const [file, targets] of imports) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), targets.map(target => lineOf(file, target)).join(''))
  }

  const options = { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true, baseDir: directory }
  const { tsConfig, ...others } = options
  const { output } = await cruise(['src'], others as ICruiseOptions)

  const refused = (output as ICruiseResult).summary.violations.map(({ from, to }) => `${from} → ${to}`)
  t.strictSame([...new Set(refused)].sort(), wrong.map(([from, to]) => `${from} → ${to}`).sort())
})

/** A package is imported by its name. */
function lineOf (file: string, target: string): string {
  const [, name] = /^node_modules\/(\w+)\//.exec(target) ?? []
  const path = name ?? '../'.repeat(file.split('/').length - 1) + target.replace(/[.]ts$/, '.js')
  return `import '${path}'\n`
}

t.end()

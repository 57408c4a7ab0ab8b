// docs/reference.md and .env.example have every setting, and the page every metric, as the source has them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { variables } from '#src/config/variables.js'
import { root } from './fixtures/markdown.js'
import { withTables } from './fixtures/reference.js'

t.test('docs/reference.md has settings, metrics and states as the source: else npm run docs:reference', async (t) => {
  const page = readFileSync(join(root, 'docs/reference.md'), 'utf8')

  t.equal(page, withTables(page))
  t.match(page, '| `OPS_PORT` | `9464` | 0 to 65535 |')
  t.match(page, /Texts that are not set .*`OPS_TOKEN`/)
  t.match(page, '| `gatehouse_logins_total{outcome}` |')
  t.match(page, '| `no new connections` |')
})

t.test('.env.example explains each setting, with its default', async (t) => {
  const text = readFileSync(join(root, '.env.example'), 'utf8')

  for (const [name, variable] of Object.entries(variables)) {
    const value = new RegExp(`^#${name}=(.*)$`, 'm').exec(text)?.[1]
    t.ok(value !== undefined, name)
    if ('default' in variable) t.equal(value, String(variable.default), name)
  }
})

t.end()

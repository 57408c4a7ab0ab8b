import { readFileSync } from 'node:fs'
import t from 'tap'
import { variables } from '#src/config/variables.js'
import { settingsPage } from '#src/config/settings-page.js'

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

t.test('docs/settings.md has every setting as the configuration has it: if not, npm run docs:settings', async (t) => {
  t.equal(read('docs/settings.md'), settingsPage())
})

t.test('.env.example explains each, with its default', async (t) => {
  const text = read('.env.example')
  for (const [name, variable] of Object.entries(variables)) {
    const value = new RegExp(`^#${name}=(.*)$`, 'm').exec(text)?.[1]
    t.ok(value !== undefined, name)
    if ('default' in variable) t.equal(value, String(variable.default), name)
  }
})

t.end()

// The Dockerfile copies only files that exist and that .dockerignore lets through.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const read = (name: string): string[] =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8').split('\n')

t.test('every file that the Dockerfile copies exists, and .dockerignore lets it through', (t) => {
  const lines = read('.dockerignore').filter(line => line !== '' && !line.startsWith('#'))
  t.equal(lines[0], '*', 'all else is left out')
  const copied = read('Dockerfile').filter(line => line.startsWith('COPY ') && !line.startsWith('COPY --from='))
    .flatMap(line => line.split(' ').slice(1, -1))
  t.ok(copied.length > 5)
  for (const name of copied) {
    t.ok(existsSync(fileURLToPath(new URL(`../${name}`, import.meta.url))), `${name} is there`)
    t.ok(lines.includes(`!${name}`), `${name} is let through`)
  }
  t.end()
})

t.end()

// Each Dockerfile copies only files that exist and that .dockerignore lets through.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

for (const [directory, least] of [['', 6], ['examples/student/', 3]] as const) {
  const place = (name: string): string => fileURLToPath(new URL(`../${directory}${name}`, import.meta.url))
  const read = (name: string): string[] => readFileSync(place(name), 'utf8').split('\n')

  t.test(`every file that ${directory}Dockerfile copies exists, and .dockerignore lets it through`, (t) => {
    const lines = read('.dockerignore').filter(line => line !== '' && !line.startsWith('#'))
    t.equal(lines[0], '*', 'all else is left out')
    const copied = read('Dockerfile').filter(line => line.startsWith('COPY ') && !line.startsWith('COPY --from='))
      .flatMap(line => line.split(' ').slice(1, -1))
    t.ok(copied.length >= least)
    for (const name of copied) {
      t.ok(existsSync(place(name)), `${name} is there`)
      t.ok(lines.includes(`!${name}`), `${name} is let through`)
    }
    t.end()
  })
}

t.end()

// Each Dockerfile copies only files that exist and that .dockerignore lets through.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const isSource = (name: string): boolean => /\.(ts|js)$/.test(name) && !name.startsWith('generated')

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

t.test('what src imports from outside it is copied before the build', async (t) => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const imported = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(isSource)
    .flatMap(name => [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/ from '(\.[^']+)'/g)]
      .map(([, path]) => relative(root, join(root, 'src', name, '..', path!))))
    .filter(path => !path.startsWith('src/'))
    .map(path => path.split('/')[0]!)
  t.ok(imported.length > 0)
  const [build] = readFileSync(join(root, 'Dockerfile'), 'utf8').split('RUN npm run build')
  for (const path of new Set(imported)) t.match(build, new RegExp(`^COPY .*\\b${path}\\b`, 'm'), path)
})

t.end()

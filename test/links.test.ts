// A link of a page, and a code of a test, leads to something that is there.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { anchorsOf, linksOf, readPages, root } from './fixtures/markdown.js'

const pages = readPages()
const CODE = /\b[BJLS]\d{1,3}\b/g

t.test('every relative link in a page leads to a file, and its anchor to a heading', async (t) => {
  const broken: string[] = []
  let links = 0
  for (const [name, text] of pages) {
    for (const link of linksOf(text).filter(link => !/^[a-z]+:/.test(link))) {
      links++
      const [path, anchor] = link.split('#') as [string, string?]
      const target = path === '' ? name : join(name, '..', path)
      const leads = existsSync(join(root, target)) &&
        (anchor === undefined || anchorsOf(pages.get(target) ?? '').has(anchor))
      if (!leads) broken.push(`${name}: ${link}`)
    }
  }
  t.same(broken, [])
  t.ok(links > 40, `${links} links`)
})

t.test('every code of a test is in the catalogue of cases, and every case has a test', async (t) => {
  const catalogue = readFileSync(join(root, 'test/CASES.md'), 'utf8')
  const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const tests = names.filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(join(root, 'test', name), 'utf8')).join('\n')
  // What a test is of stands at the end of its title, or begins a comment above the test or above its case.
  const places = tests.match(/^ *\/\/ \[?[BJLS]\d+( [BJLS]\d+)*\b|test\('.*\[[BJLS]\d+( [BJLS]\d+)*\]'/gm)!.join('\n')
  const cases = sorted(catalogue.match(/(?<=^- )[BJLS]\d+(?=:)/gm))
  t.strictSame(sorted(tests.match(CODE)), cases)
  t.strictSame(sorted(places.match(CODE)), cases)
})

const sorted = (codes: string[] | null): string[] => [...new Set(codes)].sort()

t.end()

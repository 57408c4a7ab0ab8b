// A link of a page leads to something that is there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { anchorsOf, linksOf, readPages, root } from './fixtures/markdown.js'

const pages = readPages()

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

t.end()

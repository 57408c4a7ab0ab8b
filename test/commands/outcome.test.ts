// Tables are aligned, of any length.

import t from 'tap'
import { table } from '#src/commands/outcome.js'

t.test('a table has columns as wide as their widest cell and no space at the ends of its lines', async (t) => {
  t.equal(table(['policy', 'tokens'], [
    ['login', 5], ['user-creation', 10]
  ]), 'POLICY         TOKENS\nlogin          5\nuser-creation  10\n')
  t.equal(table(['policy'], []), 'POLICY\n')
})

t.test('a table may have 200,000 rows', async (t) => {
  const rows = Array.from({ length: 200_000 }, (_, i) => ['login', `client ${i}`])
  t.equal(table(['policy', 'client'], rows).split('\n').length, 200_002)
})

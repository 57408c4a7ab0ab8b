// A table may be of any length.

import t from 'tap'
import { table } from '#src/commands/output.js'

t.test('a table may have 200,000 rows', async (t) => {
  const rows = Array.from({ length: 200_000 }, (_, i) => ['login', `client ${i}`])
  t.equal(table(['policy', 'client'], rows).split('\n').length, 200_002)
})

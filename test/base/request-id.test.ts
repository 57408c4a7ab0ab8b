// Ids of requests are random UUIDs, and no two are the same.

import t from 'tap'
import { newRequestId } from '#src/base/request-id.js'

t.test('every id is a UUID of version 4, and none comes twice', async (t) => {
  const ids = Array.from({ length: 10_000 }, newRequestId)
  const malformed = ids.filter(id => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))
  t.same(malformed, [])
  t.equal(new Set(ids).size, ids.length)
})

t.test('every digit of an id takes all the values that it may', async (t) => {
  const ids = Array.from({ length: 10_000 }, newRequestId)
  for (let place = 0; place < 36; place++) {
    const values = new Set(ids.map(id => id[place])).size
    const expected = ids[0]![place] === '-' || place === 14 ? 1 : place === 19 ? 4 : 16
    t.equal(values, expected, `digit ${place}`)
  }
})

// A 429 states the limit and the wait of its own client, whatever other clients got in the same second.

import t from 'tap'
import { tooManyRequests } from '#src/base/errors.js'

t.test('a 429 states its own limit and wait, between those of other clients', async (t) => {
  const waits = [[5, 60_000], [5, 60_000], [100, 60_000], [5, 59_000], [5, 1], [100, 1], [5, 60_000]] as const
  for (const [capacity, waitMs] of waits) {
    const beforeMs = Date.now()
    const { message, headers, additions, record } = tooManyRequests({ capacity, waitMs }, {})
    const seconds = Math.ceil(waitMs / 1000)
    const resetSeconds = Number(headers['x-ratelimit-reset'])
    t.match(message, `in ${seconds} second`)
    t.match(headers, { 'retry-after': String(seconds), 'x-ratelimit-limit': String(capacity) })
    t.ok(resetSeconds * 1000 >= beforeMs + waitMs && resetSeconds * 1000 < Date.now() + waitMs + 1000)
    t.strictSame((JSON.parse(`{${additions.slice(1)}}`) as { rateLimitInfo: object }).rateLimitInfo, {
      limit: capacity,
      remaining: 0,
      resetTime: new Date(resetSeconds * 1000).toISOString(),
      retryAfter: seconds
    })
    t.strictSame(record, { waitMs })
  }
})

// In an outage of Redis, clients get what LIMITER_ON_REDIS_FAILURE says.

import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { startNetwork } from '../../fixtures/network.js'
import { startRedis } from '../../fixtures/redis.js'
import { impatient } from '../../fixtures/timeouts.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t)

t.jobs = 3
for (const [database, { mode, seen }] of [
  { mode: 'local', seen: [200, 401, 401, 401, 401, 429] },
  { mode: 'closed', seen: [503, 503, 503, 503, 503, 503] },
  { mode: 'open', seen: [200, 401, 401, 401, 401, 401] }
].entries()) {
  // L63 L66
  t.test(`mode ${mode}: in an outage clients get what it says`, async (t) => {
    const network = await startNetwork(t, redis.port)
    const { app, login, user, client, logs } = await startApp(t, {
      REDIS_URL: `redis://127.0.0.1:${network.port}/${database}`, LIMITER_ON_REDIS_FAILURE: mode, ...impatient
    })
    const { username, password } = await user()
    const [refused, fresh] = [client(), client()]
    // An invalid body also costs a token, but no hash.
    await until(async () => (await login(refused, '', '')).statusCode === 429 && app.states.redis.value === 'decides')

    logs.length = 0
    network.cut = true
    network.tear()
    const replies = [await login(fresh, username, password)]
    t.equal(app.states.redis.value, 'does not decide')
    const known = await login(refused, username, password)
    t.equal(known.statusCode, 429, 'a known refusal holds')
    for (let i = 1; i < 6; i++) replies.push(await login(fresh, username, 'wrong horse'))
    t.same(replies.map(({ statusCode }) => statusCode), seen)
    for (const reply of [...replies, known].filter(({ statusCode }) => statusCode >= 400)) {
      const { timestamp, ...body } = reply.json()
      t.match(body, { status: reply.statusCode, error: String, message: String, path: '/api/auth/login' })
      t.match(timestamp, /^\d{4}-\d{2}-\d{2}T/)
    }
    for (const { statusCode, headers } of [...replies, known]) {
      if (statusCode === 503) t.match(headers['retry-after'], /^[12]$/)
      if (statusCode === 429) t.match(headers, { 'retry-after': /^\d+$/, 'x-ratelimit-limit': '5' })
    }
    t.equal(logs.filter(({ code }) => code === 'redis_unavailable').length, 1)
    network.cut = false
    await until(() => app.states.redis.value === 'decides')
    // What was taken in the outage is not charged. A busy machine may cause another one.
    await until(async () => (await login(fresh, username, password)).statusCode === 200)
  })
}

t.end()

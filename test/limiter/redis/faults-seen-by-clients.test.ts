// In an outage of Redis, clients get what LIMITER_ON_REDIS_FAILURE says.

import t from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { startApp } from '../../fixtures/app.js'
import { startNetwork } from '../../fixtures/network.js'
import { startRedis } from '../../fixtures/redis.js'
import { impatient } from '../../fixtures/timeouts.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t)

t.jobs = 3
for (const [database, { mode, seen, again }] of [
  { mode: 'local', seen: [200, 401, 401, 401, 401, 429], again: 429 },
  { mode: 'closed', seen: [503, 503, 503, 503, 503, 503], again: 200 },
  { mode: 'open', seen: [200, 401, 401, 401, 401, 401], again: 200 }
].entries()) {
  t.test(`mode ${mode}: in an outage clients get what it says [L63 L66]`, { buffered: true }, async (t) => {
    const network = await startNetwork(t, redis.port)
    const { app, login, user, client, logs } = await startApp(t, {
      REDIS_URL: `redis://127.0.0.1:${network.port}/${database}`, LIMITER_ON_REDIS_FAILURE: mode, ...impatient
    })
    const { username, password } = await user()
    const [refused, fresh] = [client(), client()]
    // An invalid body also costs a token, but no hash.
    await until(async () => (await login(refused, '', '')).statusCode === 429 && !app.fallbackActive)

    const told = (): number => logs.filter(({ code }) => code === 'redis_unavailable').length
    const toldBefore = told()
    network.cut = true
    network.tear()
    const replies = [await login(fresh, username, password)]
    t.equal(app.fallbackActive, true)
    const known = await login(refused, username, password)
    t.equal(known.statusCode, 429, 'a known refusal holds')
    for (let i = 1; i < 6; i++) replies.push(await login(fresh, username, 'wrong horse'))
    t.same(replies.map(({ statusCode }) => statusCode), seen)
    t.equal(app.fallbackActive, true)
    for (const reply of [...replies, known].filter(({ statusCode }) => statusCode >= 400)) {
      const { timestamp, ...body } = reply.json()
      t.match(body, { status: reply.statusCode, error: String, message: String, path: '/api/auth/login' })
      t.match(timestamp, /^\d{4}-\d{2}-\d{2}T/)
    }
    for (const { headers } of replies.filter(({ statusCode }) => statusCode === 503)) {
      t.match(headers['retry-after'], /^[12]$/)
    }
    for (const { headers } of replies.filter(({ statusCode }) => statusCode === 429)) {
      t.match(headers, { 'retry-after': /^\d+$/, 'x-ratelimit-limit': '5' })
    }

    t.equal(told() - toldBefore, 1)
    network.cut = false
    await until(() => !app.fallbackActive)
    // Redis knows the local takes once they are reconciled. A busy machine may cause another outage.
    await until(async () =>
      mode !== 'local' || (await app.buckets.peek(bucketOf(defaultLimits.policies.login, fresh))).remaining === 0)
    await until(
      async () => (await login(fresh, username, password)).statusCode === again, `a login is answered with ${again}`
    )
    t.comment(
      `${mode}: clients saw ${[...new Set([...replies, known].map(({ statusCode }) => statusCode))].join(', ')}`
    )
  })
}

t.end()

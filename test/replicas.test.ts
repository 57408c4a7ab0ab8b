// Two instances on one Redis share one limit exactly.

import t from 'tap'
import { startApp } from './fixtures/app.js'
import { startPostgres } from './fixtures/postgres.js'
import { startRedis } from './fixtures/redis.js'

t.test('two instances on one Redis admit 200 concurrent requests of one client exactly to the capacity', async (t) => {
  const [redis, postgres] = await Promise.all([startRedis(t), startPostgres(t)])
  const shared = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9' }
  const a = await startApp(t, shared)
  const b = await startApp(t, shared)
  const { username, password } = await a.user()
  const client = a.client()
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) =>
    (i % 2 ? a : b).login(client, username, password)))
  const statuses = replies.map(reply => reply.statusCode)
  t.equal(statuses.filter(status => status === 200).length, 5)
  t.equal(statuses.filter(status => status === 429).length, 195)

  const other = a.client()
  const me = await Promise.all(Array.from({ length: 200 }, (_, i) =>
    (i % 2 ? a : b).app.inject({
      url: '/api/auth/me',
      remoteAddress: other,
      headers: { authorization: `Bearer ${replies.find(r => r.statusCode === 200)!.json().data.token}` }
    })))
  t.equal(me.filter(reply => reply.statusCode === 200).length, 100)
  t.equal(me.filter(reply => reply.statusCode === 429).length, 100)
})

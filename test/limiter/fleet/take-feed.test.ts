// What a replica reports to watching operators is bounded, for any number of takes, clients and watchers.

import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Verdict } from '#src/limiter/bucket/bucket.js'
import { openTakeFeed, type TakeFeed } from '#src/limiter/fleet/take-feed.js'
import {
  createLocalBus, watchTakes, WATCH_CHANNEL, type Bus, type TakeReport, type Take
} from '#src/limiter/fleet/watch.js'
import { until } from '../../fixtures/until.js'

const refused: Verdict = { allowed: false, capacity: 5, remaining: 0, waitMs: 7, nextMs: 7, fullMs: 7 }

function takeOf (feed: TakeFeed, client: string, owner = client): void {
  feed.report?.({ client, method: 'GET', route: null, cached: true }, `gatehouse:bucket:login:${owner}`, refused)
}

/** A replica without Redis, and what it sent. */
async function openReplica (t: Test) {
  const bus = createLocalBus()
  const messages: string[] = []
  const counting: Bus = {
    subscribe: bus.subscribe,
    publish (channel, message) {
      if (channel !== WATCH_CHANNEL) messages.push(message)
      return bus.publish(channel, message)
    }
  }
  const feed = await openTakeFeed(counting, 'one')
  t.after(() => feed.close())
  return { bus, feed, messages }
}

t.test('in a flood of takes a watcher gets ten at once, and the number of the others', async (t) => {
  const { bus, feed, messages } = await openReplica(t)
  const reports: Array<TakeReport<unknown>> = []
  t.after(watchTakes<Take>(bus, '192.0.2.1', report => reports.push(report)).end)
  await until(() => reports.length > 0)
  t.same(reports[0]!.entries, [], 'a replica answers, even if nothing was taken')
  const before = reports.length
  for (let i = 0; i < 10_000; i++) takeOf(feed, '192.0.2.1')
  for (let i = 0; i < 10_000; i++) takeOf(feed, '192.0.2.2')
  await until(() => reports.length > before)
  t.equal(reports[before]!.entries.length, 10)
  t.equal(reports[before]!.more, 9990)
  // On a busy machine the watcher may have announced again, and each announcement gets a report.
  t.same(reports.slice(before + 1).flatMap(({ entries, more }) => [...entries, ...Array(more)]), [])
  t.equal(messages.length, reports.length)
})

t.test('the takes of a user are seen by the user and by the address', async (t) => {
  const { bus, feed } = await openReplica(t)
  const seen: string[] = []
  for (const watched of ['192.0.2.3', 'user:17']) {
    const note = ({ entries }: TakeReport<Take>) => seen.push(...entries.map(({ owner }) => `${watched}: ${owner}`))
    t.after(watchTakes<Take>(bus, watched, note).end)
  }
  await until(() => feed.report !== undefined)
  takeOf(feed, '192.0.2.3', 'user:17')
  await until(() => seen.length === 2)
  t.same(seen.sort(), ['192.0.2.3: user:17', 'user:17: user:17'])
})

t.test('of all refusals the hundred most refused buckets are reported, once per announcement', async (t) => {
  const { bus, feed, messages } = await openReplica(t)
  await bus.publish(WATCH_CHANNEL, '*')
  await until(() => messages.length === 1)
  for (let i = 0; i < 20_000; i++) takeOf(feed, `192.0.2.${i % 10_500}`)
  for (let i = 0; i < 50; i++) takeOf(feed, '192.0.2.9999')
  t.equal(messages.length, 1)
  await bus.publish(WATCH_CHANNEL, '*')
  await until(() => messages.length === 2)
  const { entries, more } = JSON.parse(messages[1]!) as TakeReport<{ owner: string, count: number }>
  t.equal(entries.length, 100)
  t.match(entries[0], { owner: '192.0.2.9999', count: 51 })
  t.equal(entries.reduce((sum, { count }) => sum + count, more), 20_050)
})

t.test('a watch is announced after its subscription, so that no report goes to nobody', async (t) => {
  const bus = createLocalBus()
  const steps: string[] = []
  const noting: Bus = {
    async publish () { steps.push('announced') },
    async subscribe (channel, onMessage) {
      const stop = await bus.subscribe(channel, onMessage)
      await setTimeout(1)
      steps.push('subscribed')
      return stop
    }
  }
  const { begun, end } = watchTakes<Take>(noting, '192.0.2.4', () => {})
  t.after(end)
  await begun
  t.same(steps, ['subscribed', 'announced'])
})

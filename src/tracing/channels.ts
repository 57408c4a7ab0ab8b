import type { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import { ROOT_CONTEXT, SpanKind, trace, type Attributes, type Span, type Tracer } from '@opentelemetry/api'
import { hashesChannel } from '../auth/passwords.js'
import { queriesChannel } from '../database/outage.js'
import { takesChannel } from '../limiter/layers/traced.js'
import { failSpan } from './failure.js'
import { querySummary } from './query-summary.js'

/** The current span. */
type Current = AsyncLocalStorage<Span>

/** The used part of what ioredis reports. The arguments are left out, because they contain clients' addresses. */
interface Command { command: string, serverAddress: string, serverPort: number | undefined }

const commandsChannel = tracingChannel<unknown, Command>('ioredis:command')

/** What Node adds to a message at its end. */
interface Ended { error?: unknown, result?: unknown }

/**
 * Makes spans from what the limiter, the hash queue, the database and ioredis report on their channels. Only work of a
 * traced request that has not ended gets spans.
 *
 * A command or query that several requests of one turn of the event loop share is in the trace of only one of them.
 *
 * @returns a function that ends it
 */
export function traceChannels (tracer: Tracer, current: Current): () => void {
  const closers = [
    follow(takesChannel, ({ verb, policy }) =>
      ({ name: `${verb} ${policy}`, attributes: { 'gatehouse.policy': policy } })),
    follow(hashesChannel, () => ({ name: 'hash password', attributes: {} })),
    follow(queriesChannel, ({ sql }) => {
      const summary = querySummary(sql)
      return {
        name: summary,
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': sql }
      }
    }),
    follow(commandsChannel, ({ command, serverAddress, serverPort }) => ({
      name: command.toUpperCase(),
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'redis',
        'db.operation.name': command.toUpperCase(),
        'server.address': serverAddress,
        'server.port': serverPort
      }
    }))
  ]

  function follow<Message extends object> (
    { start, asyncEnd }: TracingChannel<unknown, Message>,
    describe: (message: Message) => { name: string, kind?: SpanKind, attributes: Attributes }
  ): () => void {
    const spans = new WeakMap<object, Span>()

    function begin (message: Message): Span {
      const parent = current.getStore()
      // This also excludes work that a request started but does not wait for, such as reconnecting to Redis.
      if (!parent?.isRecording()) return parent!
      const { name, ...options } = describe(message)
      const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent))
      spans.set(message, span)
      return span
    }

    function end (message: Message & Ended): void {
      const span = spans.get(message)
      if (!span) return
      if ('error' in message) failSpan(span, message.error)
      span.end()
    }

    start.bindStore(current, begin)
    asyncEnd.subscribe(end as (message: unknown) => void)
    return () => {
      start.unbindStore(current)
      asyncEnd.unsubscribe(end as (message: unknown) => void)
    }
  }

  return () => { for (const close of closers) close() }
}

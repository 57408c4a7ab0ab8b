import type { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import { ROOT_CONTEXT, SpanKind, trace, type Attributes, type Span, type Tracer } from '@opentelemetry/api'
import { hashes } from '../auth/passwords.js'
import { queries } from '../database-outage.js'
import { takes } from '../limiter/timed.js'
import { fail } from './failure.js'
import { summaryOf } from './query-summary.js'

/** The span that whatever happens now is a part of. */
export type Current = AsyncLocalStorage<Span>

/** Of what ioredis reports. Its arguments, which hold the clients' addresses, are left out. */
interface Command { command: string, serverAddress: string, serverPort: number | undefined }

const commands = tracingChannel<unknown, Command>('ioredis:command')

/** What is added to a message at its end. */
interface Ended { error?: unknown, result?: unknown }

/**
 * Makes spans of what the limiter, the hash queue, the database and ioredis report on channels of their own: of what
 * belongs to a request that is traced and has not ended. Whatever happens beside requests makes none.
 *
 * What several requests of one turn of the event loop ask together, as one command or query, is in the trace of one.
 *
 * @returns ends it
 */
export function traceChannels (tracer: Tracer, current: Current): () => void {
  const closers = [
    follow(takes, ({ verb, policy }) => ({ name: `${verb} ${policy}`, attributes: { 'gatehouse.policy': policy } })),
    follow(hashes, () => ({ name: 'hash password', attributes: {} })),
    follow(queries, ({ sql }) => {
      const summary = summaryOf(sql)
      return {
        name: summary,
        kind: SpanKind.CLIENT,
        attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': sql }
      }
    }),
    follow(commands, ({ command, serverAddress, serverPort }) => ({
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
      // Also what a request has begun and does not wait for, such as attempts to reach Redis again.
      if (!parent?.isRecording()) return parent!
      const { name, ...options } = describe(message)
      const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent))
      spans.set(message, span)
      return span
    }

    function end (message: Message & Ended): void {
      const span = spans.get(message)
      if (!span) return
      if ('error' in message) fail(span, message.error)
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

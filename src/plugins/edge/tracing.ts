import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, SpanKind, trace, type Span } from '@opentelemetry/api'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { traceChannels } from '../../tracing/channels.js'
import { failSpanAs } from '../../tracing/failure.js'
import { traceModuleRequests } from '../../tracing/module-requests.js'
import { takeParent, formatTraceparent } from '../../tracing/trace-context.js'
import { openTracer } from '../../tracing/tracer.js'
import { statusOf } from './request-end.js'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span
  }
}

/**
 * OpenTelemetry: a span for each request, and for its calls to Redis, PostgreSQL and a module. Without a collector this
 * file is not loaded. Spans contain no client data: no path, no address and no user.
 *
 * Only a trusted proxy can continue a trace. All other requests begin one.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { tracer, close } = await openTracer(config.tracing!, app.log)
  const current = new AsyncLocalStorage<Span>()
  const closers = [traceChannels(tracer, current), traceModuleRequests(tracer)]
  app.addHook('onClose', async () => {
    for (const close of closers) close()
    await close()
  })

  app.decorateRequest('span', undefined as never)
  app.onEntry(({ url }) => (request, _reply, goOn) => {
    const { method, raw: { headers, socket } } = request
    const parent = takeParent(headers, app.isTrusted(socket.remoteAddress))
    const span = tracer.startSpan(url === undefined ? method : `${method} ${url}`, {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, ...url !== undefined && { 'http.route': url } }
    }, parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
    request.span = span
    request.record.traceId = span.spanContext().traceId
    // The module gets this header with the others of the request.
    headers.traceparent = formatTraceparent(span.spanContext())
    enter(span, goOn)
    return false
  })

  // A body arrives in callbacks of its connection, which have no request's context.
  app.addHook('preValidation', ({ span }, _reply, done) => enter(span, done))

  /** Requests that are not sampled do not pay for an AsyncLocalStorage context. */
  function enter (span: Span, goOn: () => void): void {
    if (span.isRecording()) current.run(span, goOn)
    else goOn()
  }

  app.onRequestEnd(() => (request, reply) => {
    const { span, record } = request
    const status = statusOf(request, reply)
    span.setAttribute('http.response.status_code', status)
    if (record.code !== undefined) span.setAttribute('gatehouse.code', record.code)
    if (status >= 500) failSpanAs(span, String(status))
    span.end()
  })
}, { name: 'tracing', dependencies: ['client', 'request-log'] })

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ROOT_CONTEXT, SpanKind, trace, type Span, type Tracer } from '@opentelemetry/api'
import { portOf } from '../base/url.js'
import { failSpan, failSpanAs } from './failure.js'
import { parseTraceparent, formatTraceparent } from './trace-context.js'

/**
 * Makes a span for each request to a module that has a `traceparent` of ours, and lets the module continue the trace.
 * undici sends many requests from callbacks of a connection, so the parent is taken from the header and not from the
 * context.
 *
 * @returns a function that ends it
 */
export function traceModuleRequests (tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>()

  function begin (request: Sent): void {
    const { method, origin, headers } = request
    const at = Array.isArray(headers) ? headers.indexOf('traceparent') + 1 : 0
    const parent = at > 0 ? parseTraceparent((headers as unknown[])[at]) : undefined
    if (!parent) return
    const url = new URL(origin)
    const span = tracer.startSpan(method, {
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': method,
        'server.address': url.hostname,
        'server.port': Number(portOf(url))
      }
    }, trace.setSpanContext(ROOT_CONTEXT, parent))
    if (!span.isRecording()) return
    spans.set(request, span)
    ;(headers as unknown[])[at] = formatTraceparent(span.spanContext())
  }

  function answered (request: Sent, statusCode: number): void {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', statusCode)
    if (span && statusCode >= 400) failSpanAs(span, String(statusCode))
  }

  function end (request: Sent, error?: Error): void {
    const span = spans.get(request)
    if (span && error) failSpan(span, error)
    span?.end()
    spans.delete(request)
  }

  return listen({
    'undici:request:create': ({ request }) => begin(request),
    'undici:request:headers': ({ request, response }) => answered(request, response!.statusCode),
    'undici:request:trailers': ({ request }) => end(request),
    'undici:request:error': ({ request, error }) => end(request, error)
  })
}

/** The used part of what undici reports. `headers` of a request alternate between names and values. */
interface Sent { method: string, origin: string | URL, headers: unknown }
interface Message { request: Sent, response?: { statusCode: number }, error?: Error }

function listen (listeners: Record<string, (message: Message) => void>): () => void {
  const all = Object.entries(listeners) as Array<[string, (message: unknown) => void]>
  for (const [name, listener] of all) subscribe(name, listener)
  return () => { for (const [name, listener] of all) unsubscribe(name, listener) }
}

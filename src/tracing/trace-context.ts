import type { IncomingHttpHeaders } from 'node:http'
import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'

/** W3C Trace Context: the span context of a `traceparent` header; undefined if it is not valid. */
export function parseTraceparent (traceparent: unknown): SpanContext | undefined {
  const context = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return context && isSpanContextValid(context) ? context : undefined
}

/** The header with which others continue a trace from this span. */
export function formatTraceparent ({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString().padStart(2, '0')}`
}

/**
 * The span that a request continues. A peer that is not trusted cannot continue a trace: it could choose what is
 * sampled, and could write into traces of others. If there is no such span, `tracestate` is removed from the headers.
 */
export function takeParent (headers: IncomingHttpHeaders, isTrusted: boolean): SpanContext | undefined {
  const parent = isTrusted ? parseTraceparent(headers.traceparent) : undefined
  if (!parent) delete headers.tracestate
  return parent && { ...parent, isRemote: true }
}

import type { IncomingHttpHeaders } from 'node:http'
import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'

/** W3C Trace Context: what a header `traceparent` says, undefined if it says nothing valid. */
export function spanContextOf (traceparent: unknown): SpanContext | undefined {
  const context = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return context && isSpanContextValid(context) ? context : undefined
}

/** The header for those that continue a trace from this span. */
export function traceparentOf ({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString().padStart(2, '0')}`
}

/**
 * The span that a request continues. It is taken out of the headers unless it can be believed: who writes it chooses
 * what is sampled, and writes into traces of others.
 */
export function takeParent (headers: IncomingHttpHeaders, isTrusted: boolean): SpanContext | undefined {
  const parent = isTrusted ? spanContextOf(headers.traceparent) : undefined
  if (!parent) delete headers.tracestate
  return parent && { ...parent, isRemote: true }
}

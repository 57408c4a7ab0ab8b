import { SpanStatusCode, type Span } from '@opentelemetry/api'

/** Marks a span as failed. The message of an error may quote user input, so only the kind of the error is kept. */
export function failSpan (span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown, name?: string }
  failSpanAs(span, typeof code === 'string' ? code : name ?? 'Error')
}

export function failSpanAs (span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type)
}

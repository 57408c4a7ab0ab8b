/*
 * The request headers that a page of another origin may send. A page also sends what its libraries add: those for HTTP,
 * and those for traces and errors, which add to every request. Names that a school invented itself are CORS_HEADERS.
 */

/** Grouped by what sends them. They are compared without regard to case. */
export const KNOWN_HEADERS: readonly string[] = [
  // The contract of this service.
  'Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id',
  // HTTP itself. Browsers ask for the first three only if their values are unusual.
  'Accept', 'Accept-Language', 'Content-Language', 'Cache-Control', 'Expires', 'If-Match', 'If-Modified-Since',
  'If-None-Match', 'If-Range', 'If-Unmodified-Since', 'Last-Event-ID', 'Pragma', 'Prefer', 'Range',
  // Libraries for requests: jQuery and SignalR, forms of Django, Laravel, Rails, axios and Angular.
  'X-Requested-With', 'X-SignalR-User-Agent', 'X-CSRF-Token', 'X-CSRFToken', 'X-XSRF-TOKEN',
  // htmx 2 and 4.
  'HX-Boosted', 'HX-Current-URL', 'HX-History-Restore-Request', 'HX-Prompt', 'HX-Request', 'HX-Request-Type',
  'HX-Source', 'HX-Target', 'HX-Trigger', 'HX-Trigger-Name',
  // Uploads in parts: tus.
  'Tus-Resumable', 'Upload-Complete', 'Upload-Concat', 'Upload-Defer-Length', 'Upload-Draft-Interop-Version',
  'Upload-Length', 'Upload-Metadata', 'Upload-Offset',
  // Traces: OpenTelemetry, and everybody who follows W3C Trace Context; B3 of Zipkin, and Jaeger.
  'traceparent', 'tracestate', 'baggage', 'b3', 'X-B3-Flags', 'X-B3-ParentSpanId', 'X-B3-Sampled', 'X-B3-SpanId',
  'X-B3-TraceId', 'uber-trace-id', 'X-Correlation-Id',
  // Sentry, Datadog, New Relic, Elastic, Application Insights, AWS, Dynatrace, Instana, SkyWalking.
  'sentry-trace', 'X-Datadog-Origin', 'X-Datadog-Parent-Id', 'X-Datadog-Sampling-Priority', 'X-Datadog-Trace-Id',
  'newrelic', 'X-NewRelic-ID', 'elastic-apm-traceparent', 'Request-Context', 'Request-Id', 'X-Amzn-Trace-Id', 'x-dtc',
  'X-INSTANA-L', 'X-INSTANA-S', 'X-INSTANA-T', 'sw8'
]

/**
 * @param more names besides the known ones
 * @returns a function for the value of `Access-Control-Request-Headers`, which gives the names in it that are not
 * allowed
 */
export function refusedHeaders (more: readonly string[]): (requested: string | undefined) => string[] {
  const allowed = new Set([...KNOWN_HEADERS, ...more].map(name => name.toLowerCase()))
  return (requested = '') => requested.split(',').map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && !allowed.has(name))
}

import { hostname } from 'node:os'
import type { Tracer } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { BaseLogger } from 'pino'
import { version } from '../base/version.js'
import { within } from '../base/within.js'
import { openExporter } from './exporter.js'
import type { SpanExport } from '../config/span-export.js'

/** The time limit of the last export during a shutdown, so that an unavailable collector does not delay it. */
const FLUSH_MS = 1000

/**
 * Makes spans, and exports them in the background. OTEL_BSP_MAX_QUEUE_SIZE bounds how many may wait, and spans beyond
 * that are lost. OpenTelemetry's variables set sampling, queue and limits.
 */
export async function openTracer (
  to: SpanExport, log: Pick<BaseLogger, 'info' | 'warn'>
): Promise<{ tracer: Tracer, close: () => Promise<void> }> {
  const ours = resourceFromAttributes({
    'service.name': 'gatehouse', 'service.version': version, 'host.name': hostname()
  })
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(ours).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await openExporter(to, log))]
  })

  return {
    tracer: provider.getTracer('gatehouse', version),
    async close () {
      // The exporter logs failures itself.
      await within(FLUSH_MS, provider.shutdown().catch(() => {}))
    }
  }
}

import { ExportResultCode } from '@opentelemetry/core'
import { ConsoleSpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { BaseLogger } from 'pino'
import type { SpanExport } from '../config/span-export.js'

/** Exports spans. Only the first of several failures is logged, and later that it works again. */
export async function openExporter (to: SpanExport, log: Pick<BaseLogger, 'info' | 'warn'>): Promise<SpanExporter> {
  const exporter = await load(to)
  let lost = 0

  function note (count: number, error: Error | undefined): void {
    if (error) {
      if (lost === 0) log.warn({ code: 'tracing_unavailable', err: error }, 'spans cannot be exported, and are lost')
      lost += count
    } else if (lost > 0) {
      log.info({ code: 'tracing_recovered', lost }, 'spans can be exported again')
      lost = 0
    }
  }

  return {
    export (spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        note(spans.length, failed ? result.error ?? new Error('no reason given') : undefined)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown()
  }
}

async function load (to: SpanExport): Promise<SpanExporter> {
  if (to === 'console') return new ConsoleSpanExporter()
  const { OTLPTraceExporter } = to === 'http/json'
    ? await import('@opentelemetry/exporter-trace-otlp-http')
    : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

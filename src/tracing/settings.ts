import type { Environment } from '../config/variables.js'

/** Where spans go: to a collector, in one of two forms, or to standard output. */
export type SpanExport = 'http/protobuf' | 'http/json' | 'console'

const samplers = ['always_on', 'always_off', 'traceidratio']
const known = {
  exporters: ['otlp', 'console', 'none'],
  protocols: ['http/protobuf', 'http/json'],
  samplers: [...samplers, ...samplers.map(name => `parentbased_${name}`)]
}

/**
 * Decides from OpenTelemetry's own variables whether there is tracing. The SDK reads them itself, and silently uses a
 * default for an invalid value. So they are checked here.
 *
 * @returns undefined if tracing is off. The other variables are not checked then
 */
export function readTracing (env: Environment, faults: string[]): SpanExport | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = env
  const exporter = env.OTEL_TRACES_EXPORTER ?? (ofTraces ?? ofAll ? 'otlp' : 'none')
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return undefined

  faults.push(...oneOf(known.exporters, { OTEL_TRACES_EXPORTER: exporter }), ...faultsOfSampler(env))
  if (exporter === 'console') return 'console'
  const endpoints = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll }
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: formOfTraces, OTEL_EXPORTER_OTLP_PROTOCOL: formOfAll } = env
  const protocols = { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: formOfTraces, OTEL_EXPORTER_OTLP_PROTOCOL: formOfAll }
  faults.push(...faultsOfEndpoints(endpoints), ...oneOf(known.protocols, protocols))
  return (formOfTraces ?? formOfAll) === 'http/json' ? 'http/json' : 'http/protobuf'
}

function faultsOfSampler (env: Environment): string[] {
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = env
  const faults = oneOf(known.samplers, { OTEL_TRACES_SAMPLER: sampler })
  const isRatio = ratio !== undefined && /^(0|0?\.\d+|1(\.0*)?|0\.\d*)$/.test(ratio)
  if (sampler?.endsWith('traceidratio') && !isRatio) {
    faults.push(`OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1, with OTEL_TRACES_SAMPLER=${sampler}`)
  }
  return faults
}

function faultsOfEndpoints (endpoints: NodeJS.Dict<string>): string[] {
  return Object.entries(endpoints)
    .filter(([, url]) => url !== undefined && !(/^https?:\/\//i.test(url) && URL.canParse(url)))
    .map(([name]) => `${name}: must be a URL such as http://collector:4318`)
}

function oneOf (words: string[], variables: NodeJS.Dict<string>): string[] {
  return Object.entries(variables)
    .filter(([, word]) => word !== undefined && !words.includes(word))
    .map(([name]) => `${name}: must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
}

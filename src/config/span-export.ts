import type { Environment } from './variables.js'

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
 * @param all the settings, also those that only the SDK reads
 * @returns undefined if tracing is off. If it was switched off by name, the other variables are not checked
 */
export function readTracing (env: Environment, all: NodeJS.Dict<string>, faults: string[]): SpanExport | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = env
  const disabled = env.OTEL_SDK_DISABLED?.toLowerCase() ?? 'false'
  faults.push(...oneOf(['true', 'false'], { OTEL_SDK_DISABLED: disabled }))
  if (disabled === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined

  const endpoints = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll }
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: formOfTraces, OTEL_EXPORTER_OTLP_PROTOCOL: formOfAll } = env
  const protocols = { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: formOfTraces, OTEL_EXPORTER_OTLP_PROTOCOL: formOfAll }
  faults.push(
    ...oneOf(known.exporters, { OTEL_TRACES_EXPORTER: env.OTEL_TRACES_EXPORTER }), ...faultsOfSampler(env),
    ...faultsOfEndpoints(endpoints), ...oneOf(known.protocols, protocols), ...faultsOfTheSdk(all)
  )
  const exporter = env.OTEL_TRACES_EXPORTER ?? (ofTraces ?? ofAll ? 'otlp' : 'none')
  if (exporter === 'none') return undefined
  if (exporter === 'console') return 'console'
  return (formOfTraces ?? formOfAll) === 'http/json' ? 'http/json' : 'http/protobuf'
}

/** The forms of what only the SDK reads, by the last word of the name. */
const forms: Array<[name: RegExp, form: RegExp, must: string]> = [
  [/^OTEL_(BSP|SPAN|ATTRIBUTE|EXPORTER_OTLP)_.*(TIMEOUT|DELAY|SIZE|LIMIT)$/, /^\d{1,9}$/, 'a whole number'],
  [/^OTEL_EXPORTER_OTLP_.*COMPRESSION$/, /^(gzip|none)$/, 'gzip or none'],
  [
    /^OTEL_(EXPORTER_OTLP_(TRACES_)?HEADERS|RESOURCE_ATTRIBUTES)$/,
    /^ *[^\s=,;]+ *=([^,;%]|%[\da-f]{2})*(, *[^\s=,;]+ *=([^,;%]|%[\da-f]{2})*)*$/i,
    'name=value,name=value; a % in a value is written as %25, a comma as %2C'
  ]
]

function faultsOfTheSdk (all: NodeJS.Dict<string>): string[] {
  return Object.entries(all).flatMap(([name, value = '']) => forms
    .filter(([names, form]) => names.test(name) && !form.test(value)).map(([, , must]) => `${name}: must be ${must}`))
}

function faultsOfSampler (env: Environment): string[] {
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = env
  const faults = oneOf(known.samplers, { OTEL_TRACES_SAMPLER: sampler })
  const isRatio = ratio !== undefined && /^(0|0?\.\d+|1(\.0*)?|0\.\d*)$/.test(ratio)
  if (!isRatio && (sampler?.endsWith('traceidratio') || ratio !== undefined)) {
    faults.push('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1, for OTEL_TRACES_SAMPLER=traceidratio')
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

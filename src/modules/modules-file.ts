import { Type, type Static } from 'typebox'
import { ROLE_OR_TYPE } from '../auth/rules.js'
import { AUDIENCE } from '../auth/tokens.js'
import { Faults, readJson } from '../base/read-json.js'
import { isModulePolicy, type AddressPolicy } from '../limiter/limits/policies.js'
import { parsePeriod } from '../limiter/limits/period.js'
import { schemaFaults, textThat } from '../base/schema-faults.js'
import { mergeModules, type Module, type ModuleSettings } from './module.js'

/*
 * What a modules file may say: `{"modules":{"/api/student":{"upstream":"http://student:8080","roles":["ADMIN"]}}}`.
 * Each part of the schema says in `fault` what it expects.
 */

/** One segment under `/api`, so that no module lies within another one. */
const PREFIX = /^\/api\/[a-z][a-z\d-]{0,31}$/
const OWN_PREFIX = '/api/auth'
/** A module's name is the audience of its tokens. Gatehouse would accept the tokens of this module as its own. */
const OWN_AUDIENCE_PREFIX = `/api/${AUDIENCE}`

const MAX_TIME_MS = 3_600_000
const MAX_BODY_BYTES = 1024 ** 4

const time = textThat(
  value => (parsePeriod(value) ?? Infinity) <= MAX_TIME_MS, 'must be a time from "1s" to "1h", such as "25s" or "2m"')

const SettingsSchema = Type.Partial(Type.Object({
  upstream: textThat(
    value => /^https?:\/\/[^/?#@\\]+$/.test(value) && URL.canParse(value),
    'must be an origin such as http://student:8080, without a path'),
  public: Type.Boolean({ fault: 'must be true or false' }),
  roles: Type.Array(Type.String({ pattern: ROLE_OR_TYPE, fault: 'must be a role such as ADMIN' }), {
    uniqueItems: true, minItems: 1, fault: 'must be one or more roles such as ADMIN, each once'
  }),
  policy: textThat(
    value => value === 'general' || isModulePolicy(value),
    'must be general, or a policy of its own that LIMITS_FILE defines'),
  timeout: time,
  idle: time,
  maxBodyBytes: Type.Integer({
    minimum: 0, maximum: MAX_BODY_BYTES, fault: `must be a whole number from 0 to ${MAX_BODY_BYTES}`
  }),
  host: Type.Enum(['upstream', 'client'], { fault: 'must be upstream or client' }),
  token: Type.Enum(['none', 'pass', 'own'], { fault: 'must be none, pass or own' }),
  openapi: textThat(
    value => /^https?:\/\/[^@\s]+$/.test(value) && URL.canParse(value),
    'must be a URL such as http://student:8080/openapi.json')
}), { additionalProperties: false, fault: 'must be an object' })

const ModulesSchema = Type.Record(Type.String(), SettingsSchema, { fault: 'must be an object' })
const FileSchema = Type.Object({ modules: ModulesSchema }, { additionalProperties: false, fault: 'must be an object' })

type Settings = Static<typeof SettingsSchema>

/** @throws {Faults} */
export function parseModulesFile (json: string): Module[] {
  const { value, faults } = readJson(json)
  const { modules } = (value ?? {}) as { modules?: unknown }
  return validModules(modules, 'modules.', [...faults, ...schemaFaults(FileSchema, value, 'the file')])
}

/**
 * Reads the short form: `/api/student=http://student:8080;roles=ADMIN|HR,/api/hostel=http://hostel:8080;public`.
 *
 * @throws {Faults}
 */
export function parseModules (text: string): Module[] {
  const items = text.split(',').map(item => item.trim())
  const entries = items.filter(item => item !== '').map((item): [string, unknown] => {
    const [head = '', ...options] = item.split(';')
    const [prefix, upstream] = split(head)
    const settings = Object.fromEntries(options.filter(option => option.trim() !== '').map(readOption))
    return [prefix, { ...upstream !== undefined && { upstream }, ...settings }]
  })
  const modules = Object.fromEntries(entries)
  const twice = repeated(entries.map(([prefix]) => prefix)).map(prefix => `${prefix}: is there twice`)
  const faults = [...twice, ...items.flatMap(faultsOfItem), ...schemaFaults(ModulesSchema, modules, 'the modules')]
  return validModules(modules, '', faults)
}

const repeated = (words: string[]): string[] => words.filter((word, i) => words.indexOf(word) < i)

/** What an object of the options would not show any more: an empty one, and one that is there twice. */
function faultsOfItem (item: string): string[] {
  if (item === '') return ['the modules have an empty entry; remove the comma beside it']
  const [head = '', ...options] = item.split(';')
  const [prefix] = split(head)
  const names = options.map(option => split(option)[0])
  return [
    ...names.includes('') ? [`${prefix}: has an empty option; remove the semicolon beside it`] : [],
    ...repeated(names.filter(name => name !== '')).map(name => `${prefix}.${name}: is there twice`)
  ]
}

/** What LIMITS_FILE may define, besides the policies of gatehouse itself. */
export function modulePolicyNames (modules: readonly Module[]): string[] {
  return [...new Set(modules.map(({ policy }) => policy))].filter(isModulePolicy)
}

function readOption (option: string): [string, unknown] {
  const [name, value] = split(option)
  if (name === 'public' && value === undefined) return [name, true]
  if (name === 'roles') return [name, value?.split('|')]
  if (name === 'maxBodyBytes' && /^\d{1,15}$/.test(value ?? '')) return [name, Number(value)]
  return [name, value]
}

/**
 * Adds what a schema cannot say: what a prefix is, and how settings depend on each other.
 *
 * @param given may be anything if there are faults
 */
function validModules (given: unknown, where: string, faults: readonly string[]): Module[] {
  const modules = Object.entries((given ?? {}) as Record<string, Settings | undefined>)
  const more = modules.flatMap(([prefix, settings]) =>
    [...faultsOfPrefix(prefix), ...faultsOfPublic(settings)].map(fault => `${where}${prefix}: ${fault}`))
  if (faults.length + more.length > 0) throw new Faults([...faults, ...more])
  return mergeModules(new Map(modules.map(([prefix, settings]) => [prefix, settingsOf(settings!)])))
}

function faultsOfPrefix (prefix: string): string[] {
  if (!PREFIX.test(prefix)) return ['a module\'s prefix is /api/ and one name, such as /api/student']
  if (prefix === OWN_PREFIX) return ['is gatehouse\'s own']
  return prefix === OWN_AUDIENCE_PREFIX ? ['is the audience of gatehouse\'s own tokens'] : []
}

function faultsOfPublic (settings: Settings | undefined): string[] {
  if (settings?.public !== true) return []
  const faults = []
  if (settings.roles) faults.push('a public module asks for no token, so it can have no roles')
  if (settings.token === 'own') faults.push('a public module asks for no token, so it gets none of its own')
  return faults
}

function settingsOf ({ timeout, idle, policy, ...settings }: Settings): ModuleSettings {
  return {
    ...settings,
    ...policy !== undefined && { policy: policy as AddressPolicy },
    ...timeout !== undefined && { timeoutMs: parsePeriod(timeout)! },
    ...idle !== undefined && { idleMs: parsePeriod(idle)! }
  }
}

function split (text: string): [string, string | undefined] {
  const equals = text.indexOf('=')
  return equals === -1 ? [text.trim(), undefined] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
}

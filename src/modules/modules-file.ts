import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { CODE } from '../auth/rules.js'
import { AUDIENCE } from '../auth/tokens.js'
import { isModulePolicy, parsePeriod, type AddressPolicy } from '../limiter/limits/policies.js'
import { repeatedKeys } from '../base/repeated-keys.js'
import { modulesOf, type Module, type ModuleSettings } from './module.js'

/** One segment under `/api`, so that no module lies within another one. */
const PREFIX = /^\/api\/[a-z][a-z\d-]{0,31}$/
const OWN_PREFIX = '/api/auth'
/** A module's name is the audience of its tokens. Gatehouse would accept the tokens of this module as its own. */
const OWN_AUDIENCE_PREFIX = `/api/${AUDIENCE}`

const MAX_TIME_MS = 3_600_000
const MAX_BODY_BYTES = 1024 ** 4

const time = Type.String()
const SettingsSchema = Type.Partial(Type.Object({
  upstream: Type.String(),
  public: Type.Boolean(),
  roles: Type.Array(Type.String({ pattern: CODE }), { minItems: 1 }),
  policy: Type.String(),
  timeout: time,
  idle: time,
  maxBodyBytes: Type.Integer({ minimum: 0, maximum: MAX_BODY_BYTES }),
  token: Type.Union([Type.Literal('none'), Type.Literal('pass'), Type.Literal('own')]),
  openapi: Type.String()
}))

type Settings = Static<typeof SettingsSchema>

/** The message for an invalid value of each setting. It says what is expected. */
const expected: Record<keyof Settings, string> = {
  upstream: 'must be an origin such as http://student:8080, without a path',
  public: 'must be true or false',
  roles: 'must be one or more roles such as ADMIN',
  policy: 'must be general, or a policy of its own that LIMITS_FILE defines',
  timeout: 'must be a time from "1s" to "1h", such as "25s" or "2m"',
  idle: 'must be a time from "1s" to "1h", such as "25s" or "2m"',
  maxBodyBytes: `must be a whole number from 0 to ${MAX_BODY_BYTES}`,
  token: 'must be none, pass or own',
  openapi: 'must be a URL such as http://student:8080/openapi.json'
}

/** Checks that the schema cannot express. */
const isRight: Partial<Record<keyof Settings, (text: string) => boolean>> = {
  upstream: isOrigin,
  policy: text => text === 'general' || isModulePolicy(text),
  timeout: isTime,
  idle: isTime,
  openapi: text => /^https?:\/\/[^@\s]+$/.test(text) && URL.canParse(text)
}

const names = Object.keys(SettingsSchema.properties)

/** Every fault of the modules, in one error. */
export class ModulesError extends Error {
  constructor (readonly faults: string[]) {
    super(faults.join('\n'))
  }
}

/**
 * Reads a modules file: `{"modules":{"/api/student":{"upstream":"http://student:8080","roles":["ADMIN"]}}}`.
 *
 * @throws {ModulesError}
 */
export function parseModulesFile (json: string): Module[] {
  let file: unknown
  try {
    file = JSON.parse(json)
  } catch (error) {
    throw new ModulesError([`is not JSON: ${(error as Error).message}`])
  }
  const faults = repeatedKeys(json).map(key => `${key}: is there twice`)
  const { modules, ...others } = isObject(file) ? file : {}
  for (const key of Object.keys(others)) faults.push(`the file: there is no "${key}" here; there is modules`)
  if (!isObject(modules)) faults.push('modules: must be an object')
  return readModules(isObject(modules) ? Object.entries(modules) : [], 'modules.', faults)
}

/**
 * Reads the short form: `/api/student=http://student:8080;roles=ADMIN|HR,/api/hostel=http://hostel:8080;public`.
 *
 * @throws {ModulesError}
 */
export function parseModules (text: string): Module[] {
  const items = text.split(',').map(item => item.trim()).filter(item => item !== '')
  const entries = items.map((item): [string, unknown] => {
    const [head = '', ...options] = item.split(';')
    const [prefix, upstream] = split(head)
    return [prefix, { ...upstream !== undefined && { upstream }, ...Object.fromEntries(options.map(readOption)) }]
  })
  const prefixes = entries.map(([prefix]) => prefix)
  const repeated = prefixes.filter((prefix, i) => prefixes.indexOf(prefix) < i)
  return readModules(entries, '', repeated.map(prefix => `${prefix}: is there twice`))
}

/** What LIMITS_FILE may define, besides the policies of gatehouse itself. */
export function ownPolicies (modules: readonly Module[]): string[] {
  return [...new Set(modules.map(({ policy }) => policy))].filter(isModulePolicy)
}

function readOption (option: string): [string, unknown] {
  const [name, value] = split(option)
  if (name === 'public' && value === undefined) return [name, true]
  if (name === 'roles') return [name, value?.split('|')]
  if (name === 'maxBodyBytes' && /^\d{1,15}$/.test(value ?? '')) return [name, Number(value)]
  return [name, value]
}

function readModules (entries: Array<[string, unknown]>, where: string, faults: string[]): Module[] {
  const settings = new Map<string, ModuleSettings>()
  for (const [prefix, value] of entries) {
    const fault = faultOf(prefix)
    if (fault) faults.push(`${where}${prefix}: ${fault}`)
    settings.set(prefix, readSettings(value, `${where}${prefix}`, faults))
  }
  if (faults.length > 0) throw new ModulesError(faults)
  return modulesOf(settings)
}

function faultOf (prefix: string): string | undefined {
  if (!PREFIX.test(prefix)) return 'a module\'s prefix is /api/ and one name, such as /api/student'
  if (prefix === OWN_PREFIX) return 'is gatehouse\'s own'
  if (prefix === OWN_AUDIENCE_PREFIX) return 'is the audience of gatehouse\'s own tokens'
}

function readSettings (value: unknown, where: string, faults: string[]): ModuleSettings {
  if (!isObject(value)) {
    faults.push(`${where}: must be an object`)
    return {}
  }
  const found = faults.length
  for (const [name, setting] of Object.entries(value)) {
    if (!isName(name)) faults.push(`${where}: there is no "${name}" here; there are ${names.join(', ')}`)
    else if (!isValid(name, setting)) faults.push(`${where}.${name}: ${expected[name]}`)
  }
  if (faults.length > found) return {}
  const { timeout, idle, policy, ...settings } = value as Settings
  if (settings.public) {
    const isPublic = `${where}: a public module asks for no token`
    if (settings.roles) faults.push(`${isPublic}, so it can have no roles`)
    if (settings.token === 'own') faults.push(`${isPublic}, so it gets none of its own`)
  }
  return {
    ...settings,
    ...policy !== undefined && { policy: policy as AddressPolicy },
    ...timeout !== undefined && { timeoutMs: parsePeriod(timeout)! },
    ...idle !== undefined && { idleMs: parsePeriod(idle)! }
  }
}

const isName = (name: string): name is keyof Settings => Object.hasOwn(SettingsSchema.properties, name)

const isValid = (name: keyof Settings, setting: unknown): boolean =>
  Check(SettingsSchema.properties[name], setting) && isRight[name]?.(setting as string) !== false

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isOrigin (text: string): boolean {
  return /^https?:\/\/[^/?#@\\]+$/.test(text) && URL.canParse(text)
}

function isTime (text: string): boolean {
  return (parsePeriod(text) ?? Infinity) <= MAX_TIME_MS
}

function split (text: string): [string, string | undefined] {
  const equals = text.indexOf('=')
  return equals === -1 ? [text.trim(), undefined] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
}

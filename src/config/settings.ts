import { readTextFile } from '../base/text-file.js'
import { editDistance, nearest } from '../base/nearest.js'
import { readDotenv } from './dotenv.js'
import { composeOnly, secrets, variables } from './variables.js'

/** The settings by name, and what was found while they were read. */
interface Settings {
  values: NodeJS.Dict<string>
  /** Names that have no effect. They stop nothing: they may belong to another program. */
  warnings: string[]
}

/** The process's environment, with what `.env` in the working directory adds to it. The environment wins. */
export function loadSettings (faults: string[]): Settings {
  const file = readDotenv(faults)
  const given = tidy(process.env, [])
  const warnings = [...warningsOfFile(file), ...Object.keys(given).flatMap(name => warningOfNearMiss(name) ?? [])]
  // libuv reads the size of its pool from the real environment alone.
  const { UV_THREADPOOL_SIZE, ...usable } = file
  return { values: { ...usable, ...given }, warnings }
}

/** The values without what platforms add to them. A secret may be in the file that `NAME_FILE` names. */
export function readSettings (environment: NodeJS.Dict<string>, faults: string[]): NodeJS.Dict<string> {
  const settings = tidy(environment, faults)
  for (const name of secrets) {
    const file = settings[`${name}_FILE`]
    if (file === undefined) continue
    if (settings[name] !== undefined) faults.push(`${name}: is set, and ${name}_FILE, too; remove one of them`)
    else Object.assign(settings, tidy({ [name]: readSecret(file, `${name}_FILE`, faults) }, faults))
  }
  return settings
}

/**
 * A Secret of Kubernetes often ends with a newline, and `docker run --env-file` keeps quotes. `NAME=` in a shell, a
 * compose file or .env means unset, not an empty text.
 */
function tidy (environment: NodeJS.Dict<string>, faults: string[]): NodeJS.Dict<string> {
  const trimmed = Object.entries(environment).map(([name, value = '']) => [name, value.trim()] as const)
  for (const [name, value] of trimmed) {
    if (isKnown(name) && /^(["'`]).*\1$|^[“”„‘’‚«].*[“”‘’»]$/s.test(value)) {
      faults.push(`${name}: has quotes around its value, which would be a part of it; remove them`)
    }
  }
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
}

function readSecret (file: string, name: string, faults: string[]): string | undefined {
  try {
    const text = readTextFile(file).trim()
    if (text !== '') return text
    faults.push(`${name}: ${file} is empty. Write the secret into it`)
  } catch (error) {
    faults.push(`${name}: ${file} ${(error as Error).message}`)
  }
  return undefined
}

const known = [...Object.keys(variables), ...secrets.map(name => `${name}_FILE`)]
const isKnown = (name: string): boolean => known.includes(name)

/** These take effect when the process starts, before it reads a file. */
const TOO_EARLY = /^(UV_THREADPOOL_SIZE|NODE_(?!ENV$)\w+|SSL_CERT_(FILE|DIR))$/
/** Settings of other programs: OpenTelemetry's SDK, docker compose. */
const OF_OTHERS = /^(OTEL_|COMPOSE_|DOCKER_|TZ$)/

function warningsOfFile (file: NodeJS.Dict<string>): string[] {
  return Object.keys(file).flatMap((name) => {
    if (TOO_EARLY.test(name)) return [`${name}: has no effect in .env; set it in the environment of the process`]
    if (isKnown(name) || composeOnly.includes(name)) return []
    const near = warningOfNearMiss(name)
    if (near !== undefined) return [near]
    if (OF_OTHERS.test(name)) return []
    return [`${name}: in .env is no setting of gatehouse; the nearest is ${nearest(name, known)}`]
  })
}

/** The environment is full of names that are none of ours. Those that are meant for us differ in a few letters. */
function warningOfNearMiss (name: string): string | undefined {
  if (isKnown(name) || composeOnly.includes(name)) return undefined
  const own = name.replace(/^GATEHOUSE_/i, '')
  const base = own.replace(/_FILE$/i, '')
  if (base !== own && isKnown(base)) {
    return `${name}: is no setting: of a file come only ${secrets.join(', ')}. Set ${base} itself`
  }
  const meant = nearest(own, known.filter(one => isNear(own, one)))
  return meant === undefined ? undefined : `${name}: is no setting, and has no effect; did you mean ${meant}?`
}

/** `DATABSE_URL`, `REDIS_URI`, `TRUSTED_PROXIES` and `LOGLEVEL` are near to ours; `API_PORT` and `HOME` are not. */
function isNear (name: string, one: string): boolean {
  const [words, others] = [name.toUpperCase().split(/[_-]/), one.split('_')]
  if (words.length !== others.length || words.length === 1) {
    const [a, b] = [words.join(''), others.join('')]
    return Math.abs(a.length - b.length) <= 1 && editDistance(a, b) <= 1
  }
  return words.every((word, i) => editDistance(word, others[i]!) < Math.max(word.length, others[i]!.length) / 2)
}

/** The items of a list that is separated by commas. */
export function parseList (text: string, name: string, faults: string[]): string[] {
  if (text === '') return []
  const items = text.split(',').map(item => item.trim())
  if (items.includes('')) faults.push(`${name}: has an empty entry; remove the comma beside it`)
  else if (new Set(items).size < items.length) faults.push(`${name}: has an entry twice; remove one`)
  return [...new Set(items)].filter(item => item !== '')
}

import { Type, type TSchema } from 'typebox'
import { Faults, isObject, readJson } from '../../base/read-json.js'
import { schemaFaults, type Stray } from '../../base/schema-faults.js'
import { networkText, parseNetwork } from '../../base/networks.js'
import type { Clients } from './client.js'
import {
  canCountByUser, defaultLimits, isAccountPolicy, overlayLimits, policyNames, type Limits
} from './policies.js'
import { MUST_BE_A_LIMIT, RowSchema, strictObject, optionalWord, type LimitsFile, type FileRow } from './row-schema.js'

/*
 * What a limits file may say: `{"policies":{"login":{"capacity":5,"refill":1,"period":"1m"}},
 * "networks":{"203.0.113.0/24":{"login":{…},"general":"exempt"}}}`. Limits that are set at run time have the same form.
 */

const BY_USER = `only ${policyNames.filter(canCountByUser).join(', ')} and policies of modules can count by user`

const stray: Stray = (key, known) => isAccountPolicy(key)
  ? 'an account is in no network; its limit stands in policies'
  : `there is no policy of this name; there are ${known}, and those that a module names`

/** @param names the policies that exist */
function fileSchema (names: readonly string[]): TSchema {
  const row = (name: string) => canCountByUser(name)
    ? RowSchema
    : Type.Object({ ...RowSchema.properties, by: optionalWord(['address'], BY_USER) }, strictObject(MUST_BE_A_LIMIT))
  const networkRow = (name: string) => Type.Union([
    Type.Literal('exempt'), Type.Literal('block'),
    { ...row(name), fault: 'must be a limit, "exempt" or "block"' }
  ])
  const ofNames = (of: readonly string[], schema: (name: string) => TSchema) => Type.Object(
    Object.fromEntries(of.map(name => [name, Type.Optional(schema(name))])),
    { ...strictObject('must be an object'), stray })
  return Type.Object({
    policies: Type.Optional(ofNames(names, row)),
    networks: Type.Optional(Type.Record(
      Type.String(), ofNames(names.filter(name => !isAccountPolicy(name)), networkRow), { fault: 'must be an object' }
    ))
  }, strictObject('must be an object'))
}

/**
 * Reads a limits file. Limits that it does not name keep their defaults.
 *
 * @param isOfModule whether a module names this policy
 * @throws {Faults} with every fault of the file
 */
export function parseLimits (
  json: string, clients = defaultLimits.clients, isOfModule: (name: string) => boolean = () => false
): Limits {
  const { value: file, faults } = readJson(json)
  const ofModules = [...rowsIn(file)].map(({ name }) => name).filter(isOfModule)
  const base = { ...defaultLimits, clients }
  return overlayLimits(base, validateLimitsFile(file, [...policyNames, ...ofModules], clients, 'the file', faults))
}

/** Removes the rows of policies that do not exist here, such as those of another release's modules. */
export function removeUnknownPolicies (file: unknown, { policies }: Limits): void {
  for (const { of, name } of rowsIn(file)) if (!Object.hasOwn(policies, name)) delete of[name]
}

/**
 * Checks the limits of a file or of a document. @throws {Faults} with the given faults and every fault of the limits
 */
export function validateLimitsFile (
  file: unknown, names: readonly string[], clients: Clients, where: string, faults: readonly string[] = []
): LimitsFile {
  const ofRows = [...rowsIn(file)].flatMap(({ row, path }) => isObject(row) ? faultsOfRow(row, path) : [])
  const ofNetworks = faultsOfNetworks(file, clients)
  const all = new Set([...faults, ...schemaFaults(fileSchema(names), file, where), ...ofNetworks, ...ofRows])
  if (all.size > 0) throw new Faults([...all])
  return file as LimitsFile
}

/** Every row of a file, which may be faulty. `of` has the row under `name`. */
function * rowsIn (file: unknown): Iterable<{ of: Record<string, unknown>, name: string, path: string, row: unknown }> {
  const { policies, networks } = isObject(file) ? file : {}
  const some = isObject(networks) ? Object.entries(networks) : []
  for (const [path, of] of [['policies', policies], ...some.map(([key, of]) => [`networks.${key}`, of])] as const) {
    if (!isObject(of)) continue
    for (const [name, row] of Object.entries(of)) yield { of, name, path: `${path as string}.${name}`, row }
  }
}

function faultsOfNetworks (file: unknown, clients: Clients): string[] {
  const { networks } = isObject(file) ? file : {}
  const texts = new Map<string, string>()
  return Object.keys(isObject(networks) ? networks : {}).flatMap((text) => {
    try {
      const network = parseNetwork(text)
      const same = texts.get(networkText(network))
      texts.set(networkText(network), text)
      if (same !== undefined) return [`networks.${text}: is the same network as ${same}`]
      if (!clients.isPart(network)) return []
      const client = `a client is a whole IPv6 /${clients.ipv6Prefix} (CLIENT_IPV6_PREFIX)`
      return [`networks.${text}: ${client}, so a limit is for one or for a larger network`]
    } catch (error) {
      return [`networks: ${(error as Error).message}`]
    }
  })
}

/** How the members of a row, which may be faulty, depend on each other. */
function faultsOfRow (row: Partial<FileRow>, path: string): string[] {
  const { by, capacity, address, candidate } = row
  const faults = Object.entries({ '': row, '.address': address, '.candidate': candidate }).flatMap(([key, numbers]) =>
    Number(numbers?.refill) > Number(numbers?.capacity)
      ? [`${path}${key}.refill: must be a whole number from 1 to the capacity`]
      : [])
  if (by !== 'user') return address ? [...faults, `${path}.address: is for limits with "by": "user"`] : faults
  if (!address) return [...faults, `${path}.address: must be an object`]
  if (!(Math.max(capacity ?? 0, candidate?.capacity ?? 0) > address.capacity)) return faults
  return [...faults, `${path}.address.capacity: must be at least the capacity of one user`]
}

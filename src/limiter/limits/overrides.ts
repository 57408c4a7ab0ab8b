import type { Policy } from '../bucket/bucket.js'
import { networkText } from './client.js'
import { LimitsError, parseLimits, rowOf, type Row } from './limits-file.js'
import { candidateName, isLimited, type Limits, type Override, type PolicyName } from './policies.js'

/*
 * Limits that are changed while the replicas run are overrides: a JSON document for each policy, laid over the limits
 * that a replica was started with.
 */

/** What is set for everyone, or for a network. A row for everyone without numbers keeps the replica's own. */
export type RowOverride = Partial<Row> & { mode?: 'shadow' | 'off' }

/** The document of one policy. */
export interface PolicyOverride {
  any?: RowOverride
  networks?: Record<string, RowOverride | 'exempt' | 'block'>
  /** Limits that are tried beside those for everyone. */
  candidate?: Row
}

/** The same document after the checks, as a part of limits. */
interface Overriding {
  policy?: Policy
  networks: Limits['networks']
}

/** Longer documents count as broken, because they could not be published to the other replicas either. */
const MAX_LENGTH = 20_000
/** How many levels of objects a document may have. The deepest is the shared limit in a network. */
const MAX_DEPTH = 4

/**
 * The limits that result from overrides. A broken override affects only its own policy, which keeps its last valid
 * override.
 *
 * @param fields the documents, by policy
 * @param good the last valid overrides, which are updated
 * @param onBroken called with what is wrong with a document
 */
export function overridden (
  base: Limits, fields: ReadonlyMap<string, string>,
  good = new Map<string, Overriding>(), onBroken: (policy: string, faults: string[]) => void = () => {}
): Limits {
  for (const name of good.keys()) if (!fields.has(name)) good.delete(name)
  for (const [name, text] of fields) {
    try {
      good.set(name, parseOverride(name, text, base))
    } catch (error) {
      if (!(error instanceof LimitsError)) throw error
      onBroken(name, error.faults)
    }
  }
  return laidOver(base, good)
}

/** @throws {LimitsError} with every fault of the document */
export function parseOverride (name: string, text: string, base: Limits): Overriding {
  if (!isLimited(base, name)) {
    throw new LimitsError([`there is no policy "${name}"; there are ${Object.keys(base.policies).join(', ')}`])
  }
  const { any, networks, candidate } = readDocument(name, text)
  const { policies, networks: read } = parseLimits(JSON.stringify({
    policies: any && hasNumbers(any) ? { [name]: withoutMode(any) } : {},
    networks: networks && Object.fromEntries(Object.entries(networks).map(([text, row]) =>
      [text, { [name]: row === 'block' ? 'exempt' : withoutMode(row) }]))
  }), other => other === name)

  const everyone = withMode(any && hasNumbers(any) ? policies[name]! : base.policies[name]!, any?.mode)
  return {
    ...(any ?? candidate) && {
      policy: { ...everyone, ...candidate && { candidate: readCandidate(name, candidate, everyone) } }
    },
    networks: read.map(({ text, network, overrides }) => {
      const row = networks![text]!
      const limit = (overrides as Record<string, Override>)[name]!
      return {
        text: networkText(network),
        network,
        overrides: { [name]: typeof row === 'string' ? row : withMode(limit as Policy, row.mode) }
      }
    })
  }
}

function readDocument (name: string, text: string): PolicyOverride {
  const fault = (what: string): LimitsError => new LimitsError([`${name}: ${what}`])
  if (text.length > MAX_LENGTH) {
    throw fault(`longer than ${MAX_LENGTH} characters, which is some 700 networks: put them into LIMITS_FILE`)
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw fault(`is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(document)) throw fault('is no object')
  // The checks below are recursive, so deeper nesting could overflow the stack.
  if (isDeeper(document, MAX_DEPTH)) throw fault(`is nested deeper than ${MAX_DEPTH} levels`)
  const { any, networks = {}, candidate, ...rest } = document
  const stray = Object.keys(rest)[0]
  if (stray !== undefined) throw fault(`there is no "${stray}" here; there are any, networks, candidate`)
  const isWrong = [any, candidate].some(row => row !== undefined && !isObject(row)) || !isObject(networks)
  if (isWrong) throw fault('any, networks and candidate must be objects')
  for (const row of [any, ...Object.values(networks as object) as unknown[]]) {
    const mode = isObject(row) ? row.mode : undefined
    const isMode = mode === undefined || mode === 'shadow' || mode === 'off'
    if (!isMode) throw fault('mode must be shadow or off')
  }
  return document as PolicyOverride
}

/** If the candidate is promoted, the policy still counts in the same way, so both are checked together. */
function readCandidate (name: string, candidate: Row, everyone: Policy): Policy {
  const file = { policies: { [name]: { ...rowOf(everyone), ...candidate } } }
  const { capacity, refill, periodMs } = parseLimits(JSON.stringify(file), () => true).policies[name as PolicyName]
  return { name: candidateName(name), capacity, refill, periodMs }
}

const isDeeper = (value: unknown, levels: number): boolean => typeof value === 'object' && value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1)))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasNumbers = (row: RowOverride): boolean => Object.keys(row).some(key => key !== 'mode')

function withoutMode (row: RowOverride | string): unknown {
  if (typeof row === 'string' || row === null) return row
  const { mode, ...numbers } = row
  return numbers
}

function withMode ({ mode: _former, ...policy }: Policy, mode: Policy['mode']): Policy {
  if (!mode) return policy
  return { ...policy, mode, ...policy.address && { address: { ...policy.address, mode } } }
}

function laidOver (base: Limits, overrides: ReadonlyMap<string, Overriding>): Limits {
  const policies: Record<string, Policy> = { ...base.policies }
  const networks = new Map(base.networks.map(network => [networkText(network.network), network]))
  for (const [name, { policy, networks: own }] of overrides) {
    if (policy) policies[name] = policy
    for (const network of own) {
      const known = networks.get(network.text) ?? network
      networks.set(network.text, { ...known, overrides: { ...known.overrides, ...network.overrides } })
    }
  }
  return {
    policies: policies as Limits['policies'],
    networks: [...networks.values()].sort((a, b) => b.network.prefixLength - a.network.prefixLength)
  }
}

import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { StoreUnavailable, type Policy } from '../bucket/bucket.js'
import { networkText, parseNetwork } from './client.js'
import { LimitsError, rowOf, type Row } from './limits-file.js'
import { readState, writeChange, type LimitsState } from './document.js'
import { overridden, parseOverride, type PolicyOverride } from './overrides.js'
import { isLimited, sharedPolicyName, type AddressPolicy, type Limits, type PolicyName } from './policies.js'

/** Numbers that are left out stay as they are. */
export type Numbers = Partial<Pick<Row, 'capacity' | 'refill' | 'period'>>

/** What can be done to the limits of all replicas. */
export type Edit =
  | {
    verb: 'set'
    policy: string
    numbers?: Numbers
    mode?: 'enforce' | 'shadow' | 'off'
    /** For the clients of this network alone. */
    network?: string
    /** Replaces numbers and a mode. */
    rule?: 'exempt' | 'block'
  }
  /** Without a network: what is set for everyone. Networks keep what is set for them. */
  | { verb: 'unset', policy: string, network?: string }
  | { verb: 'try', policy: string, numbers: Numbers }
  | { verb: 'promote', policy: string }
  | { verb: 'rollback', version?: number }

export interface Author { by: string, why?: string }

export interface Edited {
  /** The version that the change made, or the current one if nothing had to change. */
  version: number
  tag: string
  /** The limits that are in force from now on. */
  limits: Limits
  /** The policies that changed. */
  changed: string[]
  /** The networks that keep what is set for them, although a policy was unset for everyone. */
  kept: string[]
}

/** The edit undoes, removes or promotes something that is not there. */
export class NothingThere extends Error {}

/** Changes by hand do not conflict this many times in a row. */
const MAX_ATTEMPTS = 20
const MAX_TEXT = 500

/**
 * Changes the limits of all replicas in one atomic step. If there are two edits at the same time, the second is applied
 * to the result of the first.
 *
 * @param base what the limits are laid over: LIMITS_FILE and the defaults
 * @param what the edit in words, for the history
 * @throws {LimitsError} with every fault of the edit
 * @throws {NothingThere}
 */
export async function editLimits (
  redis: Redis | Cluster, base: Limits, edit: Edit, what: string, { by, why }: Author
): Promise<Edited> {
  mustBeText('the name of who changes limits', by)
  if (why !== undefined) mustBeText('the reason', why)
  let newest: number | undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const state = await readState(redis)
    newest ??= state.version
    if (isOfLast(edit) && state.version !== newest) throw new LimitsError([NOT_LAST])
    const fields = changedBy(edit, state, base)
    const next = new Map(state.fields)
    for (const [name, text] of fields) text === undefined ? next.delete(name) : next.set(name, text)
    const limits = overridden(base, next)
    const result = { limits, changed: [...fields.keys()], kept: keptBy(edit, next) }
    if (fields.size === 0) return { version: state.version, tag: state.tag, ...result }
    const change = { by, ...why !== undefined && { why }, what }
    const written = await writeChange(redis, state, fields, change)
      .catch((error) => { throw withNextStep(error, state) })
    if (written) return { ...written, ...result }
    await setTimeout(Math.random() * 20 * attempt)
  }
  throw new LimitsError([`limits were changed by others ${MAX_ATTEMPTS} times meanwhile, and nothing was changed here`])
}

/** Adds what an operator can do if it is unknown whether the change was written. */
function withNextStep (error: Error, { version }: LimitsState): Error {
  if (!(error instanceof StoreUnavailable) || !error.mayHaveCounted) return error
  return new LimitsError([
    `Redis does not say whether version ${version + 1} was written (${error.message}); see: gatehouse limits history`
  ])
}

const NOT_LAST = 'limits were changed by others meanwhile, and nothing was undone; see: gatehouse limits history'

/** Whether the edit undoes the change that was the newest when the edit began, because it names no version. */
const isOfLast = (edit: Edit): boolean => edit.verb === 'rollback' && edit.version === undefined

function keptBy (edit: Edit, fields: ReadonlyMap<string, string>): string[] {
  if (edit.verb !== 'unset' || edit.network !== undefined) return []
  return Object.keys(objectOf(objectIn(fields.get(nameOf(edit))).networks))
}

/** Some networks in words. */
export function textOfNetworks ([first, ...others]: string[]): string {
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`
}

function mustBeText (what: string, text: string): void {
  // It is shown in terminals.
  const isText = text.length > 0 && text.length <= MAX_TEXT && !/\p{Cc}/u.test(text)
  if (!isText) throw new LimitsError([`${what} must be 1 to ${MAX_TEXT} characters, without control characters`])
}

/** @returns the new document of each policy that changes; undefined to remove it */
function changedBy (edit: Edit, state: LimitsState, base: Limits): Map<string, string | undefined> {
  const fields = edit.verb === 'rollback' ? rolledBack(state, edit.version) : editedPolicy(edit, state, base)
  for (const [name, text] of fields) {
    // What is left of a policy that is not known here cannot be checked.
    if (text !== undefined && (edit.verb !== 'unset' || isLimited(base, name))) parseOverride(name, text, base)
    if (text === state.fields.get(name)) fields.delete(name)
  }
  return fields
}

function rolledBack (
  { version, fields, history }: LimitsState, to?: number
): Map<string, string | undefined> {
  if (version === 0) throw new NothingThere('no limit was ever changed while the service ran')
  // If two operators undid the same change, the second rollback would undo the first.
  if (to === undefined && history[0]?.what.startsWith('rollback')) {
    throw new LimitsError([`version ${version} is a rollback itself: to undo it, name the version to go back to`])
  }
  const target = to ?? version - 1
  if (target > version) throw new NothingThere(`there is no version ${target}; the newest is ${version}`)
  const undone = history.filter(change => change.version > target)
  if (undone.length < version - target) {
    throw new LimitsError([`the history does not reach back to version ${target}; see: gatehouse limits history`])
  }
  const before = new Map<string, string | undefined>()
  for (const change of undone) {
    for (const [name, text] of Object.entries(change.before)) before.set(name, text ?? undefined)
  }
  for (const [name, text] of before) if (text === fields.get(name)) before.delete(name)
  return before
}

function editedPolicy (
  edit: Exclude<Edit, { verb: 'rollback' }>, { fields }: LimitsState, base: Limits
): Map<string, string | undefined> {
  const name = nameOf(edit)
  // If the module of a policy was removed, the limits that were set for it can only be unset.
  if (!isLimited(base, name) && !(edit.verb === 'unset' && fields.has(name))) {
    const known = Object.keys(base.policies).join(', ')
    throw new LimitsError([`there is no policy "${name}"; there are ${known}, as LIMITS_FILE and MODULES say here`])
  }
  const document = documentOf(name, fields.get(name), base)
  const everyone = overridden(base, fields).policies[name as PolicyName]!
  return new Map([[name, textOf(edited())]])

  function edited (): PolicyOverride {
    switch (edit.verb) {
      case 'set': return edit.network === undefined
        ? { ...document, any: setRow(edit, document.any, everyone) }
        : withNetwork(edit, networkOf(edit.network))
      case 'unset': return unset(edit.network)
      case 'try': return { ...document, candidate: candidate(edit.numbers) }
      case 'promote': {
        if (!document.candidate) throw new NothingThere(`there is no candidate for ${name}; see: gatehouse limits try`)
        const { candidate, ...rest } = document
        return { ...rest, any: { ...rowOf(everyone), ...candidate } }
      }
    }
  }

  function withNetwork (edit: Edit & { verb: 'set' }, network: string): PolicyOverride {
    const former = document.networks?.[network]
    const limits = overridden(base, fields).networks.find(({ network: one }) => networkText(one) === network)
    const limit = limits?.overrides[name as AddressPolicy]
    const row = edit.rule ??
      setRow(edit, typeof former === 'object' ? former : undefined, typeof limit === 'object' ? limit : everyone, true)
    return { ...document, networks: { ...document.networks, [network]: row } }
  }

  function unset (text: string | undefined): PolicyOverride {
    if (text === undefined) {
      if (!fields.has(name)) throw new NothingThere(`${name} is not overridden; see: gatehouse limits show`)
      const { networks = {} } = document
      if (textOf({ networks }) === fields.get(name)) {
        const kept = textOfNetworks(Object.keys(networks))
        throw new NothingThere(`${name} is overridden only for ${kept}: name the network with --network`)
      }
      return { networks }
    }
    const network = networkOf(text)
    if (document.networks?.[network] === undefined) {
      throw new NothingThere(`${name} is not overridden for ${network}; see: gatehouse limits show`)
    }
    const { [network]: _removed, ...networks } = document.networks
    return { ...document, networks }
  }

  function candidate (numbers: Numbers): Row {
    const { capacity, refill, period } = rowOf(everyone)
    return { capacity, refill, period, ...document.candidate, ...numbers }
  }
}

/** `shared-general` is in the document of `general`. */
const nameOf = ({ policy }: { policy: string }): string => sharedPolicyName(policy) ?? policy

/** @param complete whether the row must have numbers, because a network has none of its own to fall back on */
function setRow (
  { policy, numbers = {}, mode }: Edit & { verb: 'set' }, former: PolicyOverride['any'], inForce: Policy,
  complete = false
): NonNullable<PolicyOverride['any']> {
  const { mode: formerMode, ...kept } = former ?? {}
  const modeNow = mode === undefined ? formerMode : mode === 'enforce' ? undefined : mode
  const hasNumbers = complete || Object.keys(numbers).length > 0
  return { ...hasNumbers ? withNumbers(policy, rowOf(inForce), numbers) : kept, ...modeNow && { mode: modeNow } }
}

/** `shared-general` is the limit that all users of an address share, in front of `general`. */
function withNumbers (policy: string, row: Row, numbers: Numbers): Row {
  if (sharedPolicyName(policy) === undefined) return { ...row, ...numbers }
  if (!row.address) throw new LimitsError([`${sharedPolicyName(policy)!} does not count by user here`])
  return { ...row, address: { ...row.address, ...numbers } }
}

function networkOf (text: string): string {
  try {
    return networkText(parseNetwork(text))
  } catch (error) {
    throw new LimitsError([(error as Error).message])
  }
}

/** Leaves out the broken parts of a document, so that every change repairs it. */
function documentOf (name: string, text: string | undefined, base: Limits): PolicyOverride {
  const { any, networks, candidate } = objectIn(text)
  // Without its module, all parts of a policy would count as broken.
  if (!isLimited(base, name)) return { any: objectOf(any), networks: objectOf(networks), candidate } as PolicyOverride
  const isWhole = (part: PolicyOverride): boolean => {
    try {
      parseOverride(name, JSON.stringify(part), base)
      return true
    } catch (error) {
      // Nesting that is too deep overflows the stack.
      if (error instanceof LimitsError || error instanceof RangeError) return false
      throw error
    }
  }
  const parts: PolicyOverride[] = [
    { any } as PolicyOverride,
    { candidate } as PolicyOverride,
    ...Object.entries(networks ?? {}).map(([network, row]) => ({ networks: { [network]: row } }) as PolicyOverride)
  ]
  const whole = parts.filter(isWhole)
  return { ...Object.assign({}, ...whole), networks: Object.assign({}, ...whole.map(({ networks }) => networks)) }
}

function objectIn (text = '{}'): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function objectOf (value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? value as Record<string, unknown> : {}
}

function textOf ({ any = {}, networks = {}, candidate }: PolicyOverride): string | undefined {
  const document = {
    ...Object.keys(any).length > 0 && { any },
    ...Object.keys(networks).length > 0 && { networks },
    ...candidate && { candidate }
  }
  return Object.keys(document).length > 0 ? JSON.stringify(document) : undefined
}

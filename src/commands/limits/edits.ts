import { networkText } from '../../base/networks.js'
import type { LimitsDocument } from '../../limiter/limits/limits-document.js'
import {
  hasPolicy, numbersOf, policyToRow, fromSharedName, type AddressPolicy, type Limits
} from '../../limiter/limits/policies.js'
import { Faults } from '../../base/read-json.js'
import type { LimitsFile, Mode, NetworkRule, Numbers, FileRow } from '../../limiter/limits/row-schema.js'
import { NotFound } from '../output.js'
import { noPolicy } from '../policy-named.js'

/** What can be done to the limits of all replicas. Numbers that are left out stay as they are. */
export type Edit =
  | {
    verb: 'set'
    policy: string
    numbers?: Partial<Numbers>
    mode?: Mode
    /** Whose buckets they are. Users need `address`, the limit that all users of one address share. */
    by?: 'user' | 'address'
    address?: Numbers
    /** For the clients of this network alone: its canonical text. */
    network?: string
    /** Replaces numbers and a mode. */
    rule?: NetworkRule
  }
  | { verb: 'unset', policy: string, network?: string }
  /** Beside the limit itself. */
  | { verb: 'try', policy: string, numbers: Partial<Numbers> }
  | { verb: 'promote', policy: string }
  | { verb: 'rollback', version?: number }

interface State {
  version: number
  limits: LimitsFile
  /** LIMITS_FILE and the defaults, with these rows in place of theirs. */
  inForce: Limits
  /** The newest first. */
  history: readonly LimitsDocument[]
}

/**
 * The rows that are set after an edit. Each of them is whole.
 *
 * @throws {Faults}
 * @throws {NotFound} if it undoes, removes or promotes something that is not there
 * @throws {UsageError} if there is no such policy
 */
export function applyEdit (edit: Edit, state: State): LimitsFile {
  if (edit.verb === 'rollback') return rolledBack(edit.version, state)
  const { limits: set, inForce } = state
  const name = fromSharedName(edit.policy) ?? edit.policy
  // `unset` also works for a policy whose module was removed.
  if (edit.verb === 'unset' && isSet(set, name)) return unset(set, name, edit.network)
  if (!hasPolicy(inForce, name)) throw noPolicy(inForce, edit.policy)
  if (edit.verb === 'unset') throw new NotFound(`nothing is set for ${name}; see: gatehouse limits show`)
  const policy = inForce.policies[name]!
  const { candidate, ...everyone } = policyToRow(policy)
  const { mode: _mode, ...plain } = everyone
  switch (edit.verb) {
    case 'try':
      return withRow(set, name, { ...everyone, candidate: { ...numbersOf(policy), ...candidate, ...edit.numbers } })
    case 'promote':
      // A limit that was off while its candidate was tried is enforced from now on.
      if (candidate) return withRow(set, name, { ...plain, ...candidate })
      throw new NotFound(`there is no candidate for ${name}; see: gatehouse limits try`)
    case 'set': {
      if (edit.network === undefined) return withRow(set, name, withEdit(policyToRow(policy), edit))
      const { network } = edit
      const limit = inForce.networks.find(one => networkText(one.network) === network)?.overrides[name as AddressPolicy]
      // A network with a limit of its own has a mode of its own, too.
      const row = edit.rule ?? withEdit(typeof limit === 'object' ? policyToRow(limit) : plain, edit)
      return { ...set, networks: { ...set.networks, [network]: { ...set.networks?.[network], [name]: row } } }
    }
  }
}

const withRow = (set: LimitsFile, name: string, row: FileRow): LimitsFile =>
  ({ ...set, policies: { ...set.policies, [name]: row } })

/** `shared-general` is the limit that all users of an address share, in front of `general`. */
function withEdit (row: FileRow, { policy, numbers, mode, by, address }: Edit & { verb: 'set' }): FileRow {
  const { mode: former, ...rest } = row
  const now = mode ?? former
  const { by: _by, address: _address, ...ofAddress } = rest
  const owned = {
    ...by === 'address' ? ofAddress : { ...rest, ...by && { by } },
    ...address && { address }
  }
  const withMode = { ...owned, ...now && now !== 'enforce' && { mode: now } }
  if (fromSharedName(policy) === undefined) return { ...withMode, ...numbers }
  if (!row.address) throw new Faults([`${fromSharedName(policy)!} does not count by user here`])
  return { ...withMode, address: { ...row.address, ...address, ...numbers } }
}

/** The networks for which a policy is set. */
export const networksWith = (name: string, { networks = {} }: LimitsFile): string[] =>
  Object.keys(networks).filter(network => networks[network]![name] !== undefined)

const isSet = (set: LimitsFile, name: string): boolean =>
  set.policies?.[name] !== undefined || networksWith(name, set).length > 0

function unset (set: LimitsFile, name: string, network: string | undefined): LimitsFile {
  const { policies = {}, networks = {} } = set
  const own = networksWith(name, set)
  if (network === undefined) {
    const { [name]: row, ...rest } = policies
    if (row) return { policies: rest, networks }
    throw new NotFound(`${name} is set for networks only: name one with --network (${own.join(', ')})`)
  }
  if (!own.includes(network)) {
    throw new NotFound(`nothing is set for ${name} and ${network}; see: gatehouse limits show`)
  }
  const { [network]: { [name]: _row, ...rows } = {}, ...others } = networks
  return { policies, networks: { ...others, ...Object.keys(rows).length > 0 && { [network]: rows } } }
}

function rolledBack (to: number | undefined, { version, history }: State): LimitsFile {
  const [newest] = history
  if (!newest) throw new NotFound('no limit was ever changed while the service ran')
  const target = to ?? version - 1
  if (target > newest.version) {
    throw new NotFound(`there is no version ${target}; the newest is ${newest.version}`)
  }
  if (target <= 0) return {}
  const document = history.find(({ version }) => version === target)
  if (document) return document.limits
  throw new Faults([`the history does not reach back to version ${target}; see: gatehouse limits history`])
}

/** The command that makes an edit. */
export function commandText (edit: Edit): string {
  const { verb, policy, numbers = {}, by, address, mode, network, rule, version } = edit as
    Partial<Edit & { verb: 'set' }> & { verb: string, version?: number }
  const shared = address && `${address.capacity},${address.refill},${address.period}`
  const options = Object.entries({ ...numbers, by, address: shared, mode, network })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${value}`).join('')
  return verb + (policy === undefined ? '' : ` ${policy}`) + options + (rule ? ` --${rule}` : '') +
    (version === undefined ? '' : ` ${version}`)
}

/** The policies for which two states have other rows. */
export function changedPolicies (a: LimitsFile, b: LimitsFile): string[] {
  const texts = ({ policies = {}, networks = {} }: LimitsFile): Map<string, string> => new Map(
    [['any', policies] as const, ...Object.entries(networks)].flatMap(([network, of]) =>
      Object.entries(of).map(([name, row]) => [`${name} ${network}`, JSON.stringify(row)])))
  const [before, after] = [texts(a), texts(b)]
  const differ = [...new Set([...before.keys(), ...after.keys()])].filter(key => before.get(key) !== after.get(key))
  return [...new Set(differ.map(key => key.split(' ')[0]!))]
}

import { networkText, parseNetwork } from '../../base/networks.js'
import { readLimits } from '../../limiter/limits/document.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { rowsOf, textOfLimit, type LimitRow } from '../../limiter/limits/rows.js'
import type { LimitsFile, Numbers } from '../../limiter/limits/row-schema.js'
import { whoRuns } from '../author.js'
import type { Common } from '../options.js'
import { Failure, print, UsageError } from '../outcome.js'
import { policyNamed } from '../policy-named.js'
import { changeLimitsIn } from './change-limits.js'
import { withRedis } from '../redis.js'
import { untilHeld, type Held } from './held.js'
import { changedPolicies, type Edit } from './edits.js'
import { sizeFor, type School, type Sized } from './size.js'

/** Who changes limits, and why. */
interface Reason extends Common { author?: string, why?: string }

type Setting = Reason & Partial<Numbers> & Partial<School> & {
  mode?: 'enforce' | 'off'
  by?: 'user' | 'address'
  address?: Numbers
  network?: string
  exempt?: boolean
  block?: boolean
}

export async function set (options: Setting, policy: string): Promise<void> {
  const { mode, by, address, network, exempt, block, people } = options
  const rule = exempt ? 'exempt' : block ? 'block' : undefined
  const limit = { ...numbersIn(options), ...by && { by }, ...address && { address }, ...mode && { mode } }
  const ways = [exempt, block, people, Object.keys(limit).length > 0].filter(Boolean)
  if (ways.length === 0) throw new UsageError('name a number, --mode, --by, --people, --exempt or --block')
  if (ways.length > 1) throw new UsageError('--exempt, --block and --people stand alone: they are the whole limit')
  if (network === undefined && (rule || people)) throw new UsageError('--exempt, --block and --people need --network')
  const sized = people === undefined ? undefined : sizeFor(policy, { ...options, people })
  await change({
    verb: 'set',
    policy,
    numbers: sized?.numbers ?? numbersIn(options),
    ...by && { by },
    ...address && { address },
    ...sized?.address && { by: 'user', address: sized.address },
    ...mode && { mode },
    ...network !== undefined && { network },
    ...rule && { rule }
  }, options, sized)
}

export async function unset (options: Reason & { network?: string }, policy: string): Promise<void> {
  const { network } = options
  await change({ verb: 'unset', policy, ...network !== undefined && { network } }, options)
}

export async function tryOut (options: Reason & Partial<Numbers>, policy: string): Promise<void> {
  await change({ verb: 'try', policy, numbers: numbersIn(options) }, options)
}

export async function promote (options: Reason, policy: string): Promise<void> {
  await change({ verb: 'promote', policy }, options)
}

export async function rollback (options: Reason, version?: number): Promise<void> {
  await change({ verb: 'rollback', ...version !== undefined && { version } }, options)
}

/** @param sized how the numbers came about */
async function change (edit: Edit, { json, author: by = whoRuns(), why }: Reason, sized?: Sized): Promise<void> {
  if (edit.verb !== 'rollback' && edit.verb !== 'unset') policyNamed(edit.policy)
  await withRedis(async (redis, { limits: base }) => {
    // `unset` also works for a policy whose module was removed.
    if (edit.verb === 'unset' && !isSet(edit.policy, (await readLimits(redis, base))?.document.limits)) {
      policyNamed(edit.policy)
    }
    // If Redis has lost changes, wait until a replica has put them back.
    await untilHeld(redis, base)
    const author = { by, ...why !== undefined && { why } }
    const { before, after } = await changeLimitsIn(redis, base, edit, wordsOf(edit), author)
    const { version = 0, limits: set = {} } = after?.document ?? {}
    const changed = changedPolicies(before?.document.limits ?? {}, set)
    const held = await untilHeld(redis, base, version)
    if (held.holding < held.replicas) {
      throw new Failure(
        `version ${version} is written, but ${held.replicas - held.holding} of ${held.replicas} replicas do not hold ` +
        'it: look for limits_unread and limits_broken in their logs'
      )
    }
    const network = edit.verb === 'set' && edit.network !== undefined
      ? networkText(parseNetwork(edit.network))
      : undefined
    // LIMITS_FILE may name the same network in another form.
    const isOfNetwork = (text: string): boolean => text !== 'any' && networkText(parseNetwork(text)) === network
    const rows = rowsOf(after?.limits ?? base, base).filter(row =>
      changed.includes(row.name) && (network === undefined || isOfNetwork(row.network)))
    const dropped = candidatesDropped(edit, before?.limits ?? base, after?.limits ?? base)
    const stillSet = edit.verb === 'unset' ? networksOf(edit.policy, set) : []
    const { why: arithmetic, risk } = sized ?? {}
    const more = { ...edit.verb === 'unset' && { stillSet }, ...sized && { arithmetic, risk } }
    print(json, { version, changed, ...held, rows, dropped, ...more }, () =>
      (changed.length === 0 ? `Nothing changes: version ${version} has it already` : `Version ${version}`) +
      `${heldBy(held)}\n` +
      textOfRows(rows) + (sized ? `${arithmetic}\n${risk}\n` : '') +
      dropped.map(name => `The candidate of ${name} is dropped, too.\n`).join('') +
      (stillSet.length > 0 ? `Still set for ${stillSet.join(', ')}: name one with --network to unset it.\n` : ''))
  })
}

/** The policies whose candidate an edit of something else has ended. */
function candidatesDropped ({ verb }: Edit, before: Limits, after: Limits): string[] {
  if (verb === 'promote') return []
  const tried = ({ policies }: Limits): string[] =>
    Object.values(policies).filter(({ candidate }) => candidate).map(({ name }) => name)
  const still = tried(after)
  return tried(before).filter(name => !still.includes(name))
}

const networksOf = (policy: string, { networks = {} }: LimitsFile): string[] =>
  Object.keys(networks).filter(network => networks[network]![policy] !== undefined)

const isSet = (policy: string, set: LimitsFile = {}): boolean =>
  set.policies?.[policy] !== undefined || networksOf(policy, set).length > 0

/** How many rows are shown. If there are more, the command refers to `limits show`. */
const MAX_ROWS = 10

function textOfRows (rows: LimitRow[]): string {
  const rest = rows.length - MAX_ROWS
  return rows.slice(0, MAX_ROWS).map(row => `  ${textOfRow(row)}\n`).join('') +
    (rest > 0 ? `  and ${rest} more: see gatehouse limits show\n` : '')
}

const textOfRow = (row: LimitRow): string =>
  `${row.name}${row.network === 'any' ? '' : ` for ${row.network}`}: ${textOfLimit(row)}`

const heldBy = ({ holding, replicas }: Held): string => replicas === 0
  ? '. No replica is running: each reads it when it starts.'
  : `, held by ${holding} of ${replicas} replicas.`

function numbersIn ({ capacity, refill, period }: Partial<Numbers>): Partial<Numbers> {
  return {
    ...capacity !== undefined && { capacity },
    ...refill !== undefined && { refill },
    ...period !== undefined && { period }
  }
}

function wordsOf (edit: Edit): string {
  const { verb, policy, numbers = {}, by, address, mode, network, rule, version } = edit as
    Partial<Edit & { verb: 'set' }> & { verb: string, version?: number }
  const shared = address && `${address.capacity},${address.refill},${address.period}`
  const options = Object.entries({ ...numbers, by, address: shared, mode, network })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${value}`).join('')
  return verb + (policy === undefined ? '' : ` ${policy}`) + options + (rule ? ` --${rule}` : '') +
    (version === undefined ? '' : ` ${version}`)
}

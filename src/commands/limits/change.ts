import { hostname, userInfo } from 'node:os'
import type { Cluster, Redis } from 'ioredis'
import { editLimits, type Edit, type Numbers } from '../../limiter/limits-edit.js'
import { readState } from '../../limiter/limits-hash.js'
import type { Options } from '../options.js'
import { Failure, print, UsageError } from '../outcome.js'
import { policyNamed } from '../policy-named.js'
import { untilHeld, versionsHeld, withRedis } from './connection.js'
import { rowsOf, textOfRow } from '../../limiter/limit-rows.js'

/** A replica that missed the announcement asks a second later, and takes its time to tell the others. */
const PATIENCE_MS = 4000

const modes = ['enforce', 'shadow', 'off'] as const

export async function set ([policy = '']: string[], options: Options): Promise<void> {
  const { mode, network, exempt, block } = options
  const numbers = numbersIn(options)
  const isMode = (text: string): text is typeof modes[number] => (modes as readonly string[]).includes(text)
  if (mode !== undefined && !isMode(mode)) throw new UsageError('--mode must be enforce, shadow or off')
  const given = Object.keys(numbers).length > 0 || mode !== undefined
  if (exempt || block) {
    if (network === undefined) throw new UsageError('--exempt and --block need --network')
    if (given || (exempt && block)) throw new UsageError('--exempt and --block stand alone')
  } else if (!given) throw new UsageError('"limits set" needs a number, --mode, --exempt or --block')
  const rule = exempt ? 'exempt' : block ? 'block' : undefined
  await change({
    verb: 'set', policy, numbers, ...mode && { mode }, ...network !== undefined && { network }, ...rule && { rule }
  }, options)
}

export async function unset ([policy = '']: string[], options: Options): Promise<void> {
  const { network } = options
  await change({ verb: 'unset', policy, ...network !== undefined && { network } }, options)
}

export async function tryOut ([policy = '']: string[], options: Options): Promise<void> {
  const numbers = numbersIn(options)
  if (Object.keys(numbers).length === 0) throw new UsageError('"limits try" needs --capacity, --refill or --period')
  await change({ verb: 'try', policy, numbers }, options)
}

export async function promote ([policy = '']: string[], options: Options): Promise<void> {
  await change({ verb: 'promote', policy }, options)
}

export async function rollback ([text]: string[], options: Options): Promise<void> {
  if (text === undefined) return await change({ verb: 'rollback' }, options)
  await change({ verb: 'rollback', version: wholeNumber('VERSION', text) }, options)
}

async function change (edit: Edit, { json, by = operator(), why }: Options): Promise<void> {
  if (edit.verb !== 'rollback') policyNamed(edit.policy)
  await withRedis(async (redis, { limits: base }) => {
    await mustBeNewest(redis)
    const { version, limits, changed } = await editLimits(redis, base, edit, wordsOf(edit), {
      by, ...why !== undefined && { why }
    })
    const held = await untilHeld(redis, version, PATIENCE_MS)
    await mustStand(redis, version)
    if (held.holding < held.replicas) {
      throw new Failure(
        `version ${version} is written, but ${held.replicas - held.holding} of ${held.replicas} replicas do not hold ` +
        'it: look for limits_unread in their logs'
      )
    }
    const rows = rowsOf(limits, base).filter(({ name }) => changed.includes(name))
    print(json, { version, changed, ...held, rows }, () =>
      (changed.length === 0 ? `Nothing changes: version ${version} has it already` : `Version ${version}`) +
      `, held by ${held.holding} of ${held.replicas} replicas.\n` +
      rows.map(row => `  ${textOfRow(row)}\n`).join(''))
  })
}

/** A Redis that has lost the limits gets them back from a replica, which would undo what is changed before. */
async function mustBeNewest (redis: Redis | Cluster): Promise<void> {
  const newest = Math.max(0, ...await versionsHeld(redis))
  const untilMs = performance.now() + PATIENCE_MS
  while ((await readState(redis)).version < newest) {
    if (performance.now() > untilMs) {
      throw new Failure(`Redis has lost version ${newest} of the limits, and no replica writes it back: look for ` +
        'limits_unread in their logs')
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function mustStand (redis: Redis | Cluster, version: number): Promise<void> {
  const { version: now } = await readState(redis)
  if (now >= version) return
  throw new Failure(`version ${version} was lost: a replica has written version ${now} back over it. Try again`)
}

function numbersIn ({ capacity, refill, period }: Options): Numbers {
  return {
    ...capacity !== undefined && { capacity: wholeNumber('--capacity', capacity) },
    ...refill !== undefined && { refill: wholeNumber('--refill', refill) },
    ...period !== undefined && { period }
  }
}

function wholeNumber (name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be a whole number`)
  return Number(text)
}

/** The author in the history, if there is no --by. */
function operator (): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A container may run as a user id that has no name there.
    return `${process.getuid?.() ?? 'unknown'}@${hostname()}`
  }
}

/** As the history has it. */
function wordsOf (edit: Edit): string {
  const { verb, policy, numbers = {}, mode, network, rule, version } = edit as Partial<Edit & { verb: 'set' }> &
    { verb: string, version?: number }
  const options = Object.entries({ ...numbers, mode, network }).filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${value}`).join('')
  return verb + (policy === undefined ? '' : ` ${policy}`) + options + (rule ? ` --${rule}` : '') +
    (version === undefined ? '' : ` ${version}`)
}

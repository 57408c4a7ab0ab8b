import { networkText, parseNetwork } from '../../base/networks.js'
import type { Config } from '../../config/config.js'
import { loadConfig } from '../../config/load.js'
import type { Mode, Numbers } from '../../limiter/limits/row-schema.js'
import { currentOperator } from '../operator.js'
import type { CommonFlags } from '../options.js'
import { print, UsageError } from '../output.js'
import { policyNamed } from '../policy-named.js'
import { withRedis } from '../with-redis.js'
import { changeLimitsIn } from './change-limits.js'
import { changeReport, changeReportText } from './change-report.js'
import type { Edit } from './edits.js'
import { waitUntilHeld } from './wait-until-held.js'
import { sizeFor, type School, type Sized } from './size.js'

/** Who changes limits, and why. */
interface Reason extends CommonFlags { author?: string, why?: string }

type Setting = Reason & Partial<Numbers> & Partial<School> & {
  mode?: Mode
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
  const config = loadConfig()
  const sized = people === undefined ? undefined : sizeFor(config.limits, policy, { ...options, people })
  await change(config, {
    verb: 'set',
    policy,
    numbers: sized?.numbers ?? numbersIn(options),
    ...by && { by },
    ...address && { address },
    ...sized?.address && { by: 'user', address: sized.address },
    ...mode && { mode },
    ...networkIn(options),
    ...rule && { rule }
  }, options, sized)
}

export async function unset (options: Reason & { network?: string }, policy: string): Promise<void> {
  await change(loadConfig(), { verb: 'unset', policy, ...networkIn(options) }, options)
}

export async function tryOut (options: Reason & Partial<Numbers>, policy: string): Promise<void> {
  await change(loadConfig(), { verb: 'try', policy, numbers: numbersIn(options) }, options)
}

export async function promote (options: Reason, policy: string): Promise<void> {
  await change(loadConfig(), { verb: 'promote', policy }, options)
}

export async function rollback (options: Reason, version?: number): Promise<void> {
  await change(loadConfig(), { verb: 'rollback', ...version !== undefined && { version } }, options)
}

/**
 * Changes the limits, and waits until every replica holds them.
 *
 * @param sized how the numbers came about
 */
async function change (config: Config, edit: Edit, { json, author, why }: Reason, sized?: Sized): Promise<void> {
  const { limits: base } = config
  // Those of removed modules can still be unset.
  if ('policy' in edit && edit.verb !== 'unset') policyNamed(base, edit.policy)
  await withRedis(config, async (redis) => {
    // If Redis has lost changes, this waits until a replica has put them back.
    await waitUntilHeld(redis, base)
    const by = author ?? currentOperator()
    const change = await changeLimitsIn(redis, base, edit, { by, ...why !== undefined && { why } })
    const held = await waitUntilHeld(redis, base, change.after?.document.version)
    const done = changeReport(edit, base, change, held, sized)
    print(json, done, () => changeReportText(done))
  })
}

function numbersIn ({ capacity, refill, period }: Partial<Numbers>): Partial<Numbers> {
  return {
    ...capacity !== undefined && { capacity },
    ...refill !== undefined && { refill },
    ...period !== undefined && { period }
  }
}

/** @returns the network in its canonical form. @throws {UsageError} */
function networkIn ({ network }: { network?: string }): { network?: string } {
  try {
    return network === undefined ? {} : { network: networkText(parseNetwork(network)) }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

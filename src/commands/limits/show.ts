import { differingRows, textOfDiffering } from '../../limiter/fleet/differing-limits.js'
import { listReplicas } from '../../limiter/fleet/replicas.js'
import { limitsIn } from '../../limiter/limits/document.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { rowsOf, textOf, textOfLimit, type LimitRow } from '../../limiter/limits/rows.js'
import type { Common } from '../options.js'
import { print, printable, table } from '../outcome.js'
import { withRedis } from '../redis.js'

const columns = ['policy', 'network', 'limit', 'mode', 'source', 'candidate']

/** The limits are laid over the LIMITS_FILE of this command. Replicas with other ones are named below them. */
export async function show ({ json }: Common): Promise<void> {
  await withRedis(async (redis, { limits: base }) => {
    const { limits, set, lastChange } = await limitsIn(redis, base)
    const differing = differingRows(await listReplicas(redis), set)
    const rows = rowsOf(limits, base).map((row) => {
      const found = differing.find(({ policy, network }) => policy === row.name && network === row.network)
      return { ...row, ...found && { own: found.own } }
    })
    print(json, rows, () => table(columns, rows.map(row => [
      row.name, row.network, limitOf(row), row.mode, row.source, row.candidate ? textOf(row.candidate) : '-'
    ])) + (lastChange === undefined ? '' : `Last change: ${printable(lastChange)}\n`) +
      differing.map(row => `${textOfDiffering(row)}.\n`).join(''))
  })
}

/** The mode and the candidate have columns of their own. */
const limitOf = ({ mode, candidate, ...row }: LimitRow): string =>
  textOfLimit({ ...row, mode: mode === 'shadow' || mode === 'off' ? 'enforce' : mode })

export async function diff ({ json }: Common): Promise<void> {
  await withRedis(async (redis, { limits: base }) => {
    const { limits } = await limitsIn(redis, base)
    const rows = differences(base, limits)
    print(json, rows, () => rows.length === 0
      ? 'Nothing was changed: LIMITS_FILE and the defaults are in force.\n'
      : table(['policy', 'network', 'before', 'live'], rows.map(({ name, network, before, live }) =>
        [name, network, before ? textOfLimit(before) : '-', textOfLimit(live)])))
  })
}

function differences (
  base: Limits, live: Limits
): Array<{ name: string, network: string, before: LimitRow | null, live: LimitRow }> {
  const before = rowsOf(base, base)
  return rowsOf(live, base).filter(({ source }) => source === 'live').map((row) => {
    const { name, network } = row
    return {
      name, network, before: before.find(one => one.name === name && one.network === network) ?? null, live: row
    }
  })
}

import type { Limits } from '../../limiter/policies.js'
import { limitsIn } from '../../limiter/live-limits.js'
import type { Options } from '../options.js'
import { print, table } from '../outcome.js'
import { withRedis } from './connection.js'
import { rowsOf, textOf, textOfLimit, type LimitRow } from '../../limiter/limit-rows.js'

const columns = ['policy', 'network', 'limit', 'mode', 'source', 'candidate']

/** Over the LIMITS_FILE that this command is run with: it should be that of the replicas. */
export async function show (_args: string[], { json }: Options): Promise<void> {
  await withRedis(async (redis, { limits: base }) => {
    const rows = rowsOf(await limitsIn(redis, base), base)
    print(json, rows, () => table(columns, rows.map(({ candidate, ...row }) => [
      row.name, row.network, limitOf(row), row.mode,
      row.source, candidate ? textOf(candidate) : '-'
    ])))
  })
}

/** The mode has a column of its own. */
const limitOf = ({ mode, ...row }: LimitRow): string =>
  textOfLimit({ ...row, candidate: undefined, mode: mode === 'shadow' || mode === 'off' ? 'enforce' : mode })

export async function diff (_args: string[], { json }: Options): Promise<void> {
  await withRedis(async (redis, { limits: base }) => {
    const rows = differences(base, await limitsIn(redis, base))
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

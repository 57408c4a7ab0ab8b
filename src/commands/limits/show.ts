import { loadConfig } from '../../config/load.js'
import { differingRows, differingRowText } from '../../limiter/fleet/differing-limits.js'
import { listReplicas } from '../../limiter/fleet/replicas.js'
import { readLimitsInForce } from '../../limiter/limits/limits-document.js'
import { limitRowsOf, numbersText, limitRowText, type LimitRow } from '../../limiter/limits/limit-rows.js'
import type { CommonFlags } from '../options.js'
import { print, printable, table } from '../output.js'
import { withRedis } from '../with-redis.js'

const columns = ['policy', 'network', 'limit', 'mode', 'source', 'before', 'candidate']

/** The limits are laid over the LIMITS_FILE of this command. Replicas with other ones are named below them. */
export async function show ({ json }: CommonFlags): Promise<void> {
  const config = loadConfig()
  const base = config.limits
  await withRedis(config, async (redis) => {
    const { limits, set, lastChange } = await readLimitsInForce(redis, base)
    const differing = differingRows(await listReplicas(redis), set)
    const without = limitRowsOf(base, base)
    const rows = limitRowsOf(limits, base).map((row) => {
      const own = differing.find(({ policy, network }) => policy === row.name && network === row.network)?.own
      const before = row.source === 'live'
        ? without.find(({ name, network }) => name === row.name && network === row.network)
        : undefined
      return { ...row, ...before && { before }, ...own && { own } }
    })
    print(json, rows, () => table(columns, rows.map(({ before, ...row }) => [
      row.name, row.network, limitOf(row), row.mode, row.source, before ? limitRowText(before) : '-',
      row.candidate ? numbersText(row.candidate) : '-'
    ])) + (lastChange === undefined ? '' : `Last change: ${printable(lastChange)}\n`) +
      differing.map(row => `${differingRowText(row)}.\n`).join(''))
  })
}

/** The mode and the candidate have columns of their own. */
const limitOf = ({ mode, candidate, ...row }: LimitRow): string =>
  limitRowText({ ...row, mode: mode === 'off' ? 'enforce' : mode })

import type { Cluster, Redis } from 'ioredis'
import { listReplicas, type Replica } from '../../limiter/fleet/replicas.js'
import { limitsIn } from '../../limiter/limits/document.js'
import { digestOf, type Limits } from '../../limiter/limits/policies.js'
import { rowsOf, type LimitRow } from '../../limiter/limits/rows.js'
import { textOf, textOfLimit } from './texts.js'
import type { Options } from '../commands.js'
import { count, print, printable, table } from '../outcome.js'
import { withRedis } from '../redis.js'

const columns = ['policy', 'network', 'limit', 'mode', 'source', 'candidate']

/** The limits are laid over the LIMITS_FILE of this command, which should be the same as that of the replicas. */
export async function show (_args: string[], { json }: Options): Promise<void> {
  await withRedis(async (redis, { limits: base }) => {
    const rows = rowsOf(await limitsInForce(redis, base), base)
    print(json, rows, () => table(columns, rows.map(row => [
      row.name, row.network, limitOf(row), row.mode, row.source, row.candidate ? textOf(row.candidate) : '-'
    ])))
  })
}

/** Reports on standard error if a replica has other limits. */
async function limitsInForce (redis: Redis | Cluster, base: Limits): Promise<Limits> {
  const { limits, version } = await limitsIn(redis, base)
  const replicas = await listReplicas(redis)
  const hold = (some: Replica[], what: string): string =>
    `${some.length} of ${count(replicas.length, 'replica')} ${some.length === 1 ? 'holds' : 'hold'} ${what}`
  const behind = replicas.filter(({ limitsVersion = 0 }) => limitsVersion !== version)
  if (behind.length > 0) {
    notice(hold(behind, `another version than ${version} of what was set: look for limits_unread in their logs`))
  }
  const others = replicas.filter(replica => !behind.includes(replica) && replica.limits !== digestOf(limits))
  if (others.length > 0) {
    notice(hold(others, 'other limits than these: run this command with their LIMITS_FILE and MODULES, and gatehouse ' +
      'doctor'))
  }
  return limits
}

function notice (text: string): void {
  process.stderr.write(`gatehouse: ${printable(text)}\n`)
}

/** The mode and the candidate have columns of their own. */
const limitOf = ({ mode, candidate, ...row }: LimitRow): string =>
  textOfLimit({ ...row, mode: mode === 'shadow' || mode === 'off' ? 'enforce' : mode })

export async function diff (_args: string[], { json }: Options): Promise<void> {
  await withRedis(async (redis, { limits: base }) => {
    const rows = differences(base, await limitsInForce(redis, base))
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

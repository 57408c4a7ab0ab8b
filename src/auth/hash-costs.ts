import type { PrismaClient } from '../generated/prisma/client.js'
import { MAX_COST, type CostlierHashes } from './passwords.js'

/**
 * How many accounts have a usable hash of each cost above `cost`. An index over the costs makes this cheap if there are
 * few such hashes, even with many users: see prisma/migrations/20261122000000_mails_under_way.
 */
export async function costlierHashes (db: PrismaClient, cost: number): Promise<CostlierHashes> {
  return await db.$queryRaw`
    SELECT substr(password_hash, 5, 2)::int AS cost, count(*)::int AS accounts FROM users
    WHERE substr(password_hash, 5, 2) > ${String(cost)} AND substr(password_hash, 5, 2) <= ${String(MAX_COST)}
      AND password_hash ~ '^[$]2[ab][$]1[0-9][$][./A-Za-z0-9]{53}$'
    GROUP BY 1 ORDER BY 1`
}

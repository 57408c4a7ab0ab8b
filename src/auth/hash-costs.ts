import type { PrismaClient } from '../generated/prisma/client.js'
import { MAX_COST, type CostlierHashes } from './passwords.js'

/**
 * How many accounts have a usable hash of each cost above `cost`. An index over the costs makes this cheap if there are
 * few such hashes, even with many users: see prisma/migrations/20261122000000_mails_under_way. In it, "yp" stands for
 * every hash with Spring's `{bcrypt}` in front.
 */
export async function costlierHashes (db: PrismaClient, cost: number): Promise<CostlierHashes> {
  const indexed = ['yp', ...Array.from({ length: MAX_COST - cost }, (_, i) => String(cost + 1 + i))]
  return await db.$queryRaw`
    SELECT substr(right(password_hash, 60), 5, 2)::int AS cost, count(*)::int AS accounts FROM users
    WHERE substr(password_hash, 5, 2) = ANY(${indexed})
      AND CASE WHEN substr(right(password_hash, 60), 5, 2) > ${String(cost)}
        THEN password_hash ~ '^([{]bcrypt[}])?[$]2[aby][$]1[0-6][$][./A-Za-z0-9]{53}$' END
    GROUP BY 1 ORDER BY 1`
}

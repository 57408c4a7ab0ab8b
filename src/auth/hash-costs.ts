import type { PrismaClient } from '../../prisma/client.js'
import { USABLE_HASH } from './stored-hash.js'

/** The highest of USABLE_HASH. */
const MAX_COST = 16
/** How long the known costs in use are valid, in ms. After that, the next comparison reads them again. */
const VALID_MS = 10_000

/** How many accounts have hashes of a cost above the configured one. */
export type CostlierHashes = Array<{ cost: number, accounts: number }>

/** What the hashes of all accounts cost. */
export class CostsInUse {
  /** The highest one that is known, at least the configured one. */
  highest: number
  #reported: number
  #learnedAtMs = -Infinity
  #learning: Promise<void> | undefined

  /** @param onChange called when the highest cost that was read changes; with an empty list if none is above `cost` */
  constructor (
    private readonly cost: number, private readonly read: () => Promise<CostlierHashes>,
    private readonly onChange: (costlier: CostlierHashes) => void
  ) {
    this.highest = this.#reported = cost
  }

  /** A hash of this cost was just compared. */
  seen (cost: number): void {
    this.highest = Math.max(this.highest, cost)
  }

  /**
   * Reads which costs are in use, if that is not known. All callers share one query. While the database does not
   * answer, the last known costs stay valid.
   */
  learn (): Promise<void> {
    if (performance.now() - this.#learnedAtMs < VALID_MS) return Promise.resolve()
    return (this.#learning ??= this.read().then((costlier) => {
      this.#learnedAtMs = performance.now()
      this.highest = Math.max(this.cost, ...costlier.map(({ cost }) => cost))
      if (this.highest !== this.#reported) this.onChange(costlier)
      this.#reported = this.highest
    }, () => {}).finally(() => { this.#learning = undefined }))
  }
}

/**
 * How many accounts have a usable hash of each cost above `cost`. An index of the fifth and sixth character makes this
 * cheap even with many users. In `$2b$12$…` these are the cost, and in Spring's `{bcrypt}$2a$12$…` they are `yp`.
 */
export async function costlierHashes (db: PrismaClient, cost: number): Promise<CostlierHashes> {
  const indexed = ['yp', ...Array.from({ length: MAX_COST - cost }, (_, i) => String(cost + 1 + i))]
  return await db.$queryRaw`
    SELECT substr(right(password_hash, 60), 5, 2)::int AS cost, count(*)::int AS accounts FROM users
    WHERE substr(password_hash, 5, 2) = ANY(${indexed})
      AND CASE WHEN substr(right(password_hash, 60), 5, 2) > ${String(cost)}
        THEN password_hash ~ ${USABLE_HASH} END
    GROUP BY 1 ORDER BY 1`
}

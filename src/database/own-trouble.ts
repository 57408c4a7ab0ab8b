/** Longer than an outage of the database takes to become its state. */
const PATIENCE_MS = 5000

/**
 * The trouble that one user of the database has alone, such as a table that is locked: it fails for seconds while the
 * database is reachable. An outage is the database's own state, and is reported there.
 *
 * @param onChange called at both ends; without an error at the second
 */
export function watchOwnTrouble (isReachable: () => boolean, onChange: (error?: Error) => void) {
  let sinceMs: number | undefined
  let reported = false
  return {
    succeeded (): void {
      sinceMs = undefined
      if (reported) onChange()
      reported = false
    },

    failed (error: unknown): void {
      sinceMs = isReachable() ? sinceMs ?? performance.now() : undefined
      if (reported || sinceMs === undefined || performance.now() - sinceMs < PATIENCE_MS) return
      reported = true
      onChange(error as Error)
    }
  }
}

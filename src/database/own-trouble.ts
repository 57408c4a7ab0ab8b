/** Longer than an outage of the database takes to become its state. */
const PATIENCE_MS = 5000

/**
 * Reports when one task fails for seconds although the database should do it, for example because a table is locked. An
 * outage is the database's own state, and is reported there.
 *
 * @param isDue whether the database's state lets the task succeed
 * @param onChange called with the error when the trouble begins, and without one when it ends
 */
export function watchOwnTrouble (isDue: () => boolean, onChange: (error?: Error) => void) {
  let sinceMs: number | undefined
  let reported = false
  return {
    succeeded (): void {
      sinceMs = undefined
      if (reported) onChange()
      reported = false
    },

    failed (error: unknown): void {
      sinceMs = isDue() ? sinceMs ?? performance.now() : undefined
      if (reported || sinceMs === undefined || performance.now() - sinceMs < PATIENCE_MS) return
      reported = true
      onChange(error as Error)
    }
  }
}

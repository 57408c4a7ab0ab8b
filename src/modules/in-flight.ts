/** Counts the requests in progress for each key, so that no key has more than its share. */
export class RequestsInProgress {
  readonly #counts = new Map<string, number>()

  /** @param most the maximum for one key at a time */
  constructor (readonly most: number) {}

  /** @returns false, without counting, if the key already has the maximum */
  begin (key: string): boolean {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.most) return false
    this.#counts.set(key, count + 1)
    return true
  }

  end (key: string): void {
    const count = this.#counts.get(key)! - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

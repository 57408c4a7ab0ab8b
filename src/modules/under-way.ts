/** Counts what each key has under way, so that none has more than its share. */
export class UnderWay {
  readonly #counts = new Map<string, number>()

  /** @param most of one key at a time */
  constructor (readonly most: number) {}

  /** @returns false, and counts nothing, if the key has the most already */
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

/**
 * Drops the `count` entries of the least worth. Of those that are worth the same, the oldest are dropped.
 *
 * @returns the most that one of these was worth
 */
export function dropLeast<Entry> (entries: Map<string, Entry>, count: number, worth: (entry: Entry) => number): number {
  const least = Float64Array.from(entries.values(), worth).sort()[count - 1]!
  let left = count
  const drop = (isDropped: (worth: number) => boolean): void => {
    for (const [name, entry] of entries) {
      if (left === 0) return
      if (!isDropped(worth(entry))) continue
      entries.delete(name)
      left--
    }
  }
  drop(one => one < least)
  drop(one => one === least)
  return least
}

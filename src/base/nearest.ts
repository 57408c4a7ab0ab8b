/**
 * How many letters differ between two words: one for each letter that is missing, added or another one, or for two
 * neighbours in the wrong order (the optimal string alignment distance).
 */
export function editDistance (a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = rows[i] = [i]
    const above = rows[i - 1]!
    for (let j = 1; j <= b.length; j++) {
      const changed = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(changed, above[j]! + 1, row[j - 1]! + 1, swapped ? rows[i - 2]![j - 2]! + 1 : Infinity)
    }
  }
  return rows[a.length]![b.length]!
}

/** @returns the one of the words that differs least; of several, the first */
export function nearest (word: string, words: readonly string[]): string | undefined {
  const distances = words.map(other => editDistance(word.toLowerCase(), other.toLowerCase()))
  return words[distances.indexOf(Math.min(...distances))]
}

import type { Bucket, BucketStore, Verdict } from './bucket.js'

/**
 * Takes a token from each of two buckets, or from none. Both are asked in one turn, and so in one round trip. What one
 * gave although the other refused goes back; others may be refused by that one meanwhile, for about a millisecond.
 *
 * @returns the verdict of the second one, or the refusal of the first one, also if that is in shadow mode; with the
 * bucket that it is of
 * @throws {StoreUnavailable} tokens may or may not have been taken
 */
export async function takeBoth (store: BucketStore, first: Bucket, second: Bucket): Promise<[Bucket, Verdict]> {
  const [ofFirst, ofSecond] = await Promise.all([store.take(first), store.take(second)])
  if (ofFirst.allowed && !ofSecond.allowed) await store.giveBack(first)
  if (ofSecond.allowed && !ofFirst.allowed) await store.giveBack(second)
  return ofFirst.allowed && !ofFirst.shadow ? [second, ofSecond] : [first, ofFirst]
}

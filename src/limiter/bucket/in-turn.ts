import { ignoreOutage, type Bucket, type BucketStore, type Decided } from './bucket.js'

/**
 * Takes a token from a bucket, and then one from the bucket in front of it. If that refuses or fails, the first token
 * is returned. So an abuser is stopped by their own bucket, and uses up nothing that others share.
 *
 * @returns the verdict that decided: the refusal of either bucket, or the verdict of the first one
 * @throws {StoreUnavailable} the store could not decide
 */
export async function takeInTurn (
  store: Pick<BucketStore, 'take' | 'giveBack'>, own: Bucket, front: Bucket
): Promise<Decided> {
  const ofOwn = await store.take(own)
  if (!ofOwn.allowed) return [own, ofOwn]
  let ofFront
  try {
    ofFront = await store.take(front)
  } finally {
    if (!ofFront?.allowed) await store.giveBack(own).catch(ignoreOutage)
  }
  return ofFront.allowed ? [own, ofOwn] : [front, ofFront]
}

import type { BucketId } from './bucket.js'

const PREFIX = 'gatehouse:bucket:'

/**
 * `gatehouse:bucket:<policy>:<client>`, in Redis and in memory alike. A policy's name has no colon, so the first colon
 * after it ends it; a client is a canonical address, never a text that a client wrote. (A probe's is a key in braces: see
 * fallback.ts. It is nobody's bucket.)
 */
export function bucketKey ({ policy, client }: BucketId): string {
  return `${PREFIX}${policy}:${client}`
}

export function parseBucketKey (key: string): BucketId | undefined {
  if (!key.startsWith(PREFIX)) return undefined
  const colon = key.indexOf(':', PREFIX.length)
  if (colon === -1 || key[colon + 1] === '{') return undefined
  return { policy: key.slice(PREFIX.length, colon), client: key.slice(colon + 1) }
}

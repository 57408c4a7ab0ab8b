import calculateSlot from 'cluster-key-slot'
import { LRUCache } from 'lru-cache'

/** About 3 MB when full. */
const MAX_KEYS = 20_000

const slots = new LRUCache<string, number>({ max: MAX_KEYS, memoMethod: calculateSlot })

/**
 * The slot of a key in a Redis Cluster, 0 to 16,383, remembered, because a take needs it several times and clients
 * return.
 */
export const slotOf = (key: string): number => slots.memo(key)

import calculateSlot from 'cluster-key-slot'
import { LRUCache } from 'lru-cache'

/** About 3 MB when full. */
const MAX_KEYS = 20_000

const slots = new LRUCache<string, number>({ max: MAX_KEYS, memoMethod: calculateSlot })

/** The slot of a key in a Redis Cluster, 0 to 16,383, remembered: a take asks several times, and clients come again. */
export const slotOf = (key: string): number => slots.memo(key)

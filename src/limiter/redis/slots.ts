import calculateSlot from 'cluster-key-slot'
import { LRUCache } from 'lru-cache'

/** About 3 MB when full. */
const MAX_KEYS = 20_000

const slots = new LRUCache<string, number>({ max: MAX_KEYS, memoMethod: calculateSlot })

/** The slot of a key in a Redis Cluster, 0 to 16,383. It is cached, because a take needs it up to three times. */
export const slotOf = (key: string): number => slots.memo(key)

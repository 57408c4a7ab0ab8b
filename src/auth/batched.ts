/** Bounds the length of a query. */
const MAX_BATCH = 100

interface Batch<Key, Found> { keys: Set<Key>, found: Promise<Map<Key, Found>> }

/**
 * Lookups of one turn of the event loop become one query. A query for each would cost this process more CPU than the
 * rest of the request.
 *
 * @param find the query
 * @returns for a key: what was found, or undefined
 */
export function batched<Key, Found> (
  find: (keys: Key[]) => Promise<Map<Key, Found>>
): (key: Key) => Promise<Found | undefined> {
  let open: Batch<Key, Found> | undefined

  function openBatch (): Batch<Key, Found> {
    const keys = new Set<Key>()
    const found = new Promise<void>(resolve => process.nextTick(resolve)).then(async () => {
      if (open?.keys === keys) open = undefined
      return await find([...keys])
    })
    return { keys, found }
  }

  return async (key) => {
    const batch = open ??= openBatch()
    batch.keys.add(key)
    if (batch.keys.size === MAX_BATCH) open = undefined
    return (await batch.found).get(key)
  }
}

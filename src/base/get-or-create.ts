/** @returns the value of a key, which is created if there is none */
export function getOrCreate<Key, Value> (map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

/** @returns the items with the same name together, in the order of their first ones. Map.groupBy came with Node 21 */
export function groupBy<Item> (items: readonly Item[], nameOf: (item: Item) => string | undefined): Item[][] {
  const groups = new Map<string | undefined, Item[]>()
  for (const item of items) getOrCreate(groups, nameOf(item), (): Item[] => []).push(item)
  groups.delete(undefined)
  return [...groups.values()]
}

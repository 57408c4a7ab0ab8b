/** How many rows one query handles, and one transaction writes. */
const AT_ONCE = 500

export function * pagesOf <T> (all: readonly T[]): Generator<T[]> {
  for (let i = 0; i < all.length; i += AT_ONCE) yield all.slice(i, i + AT_ONCE)
}

/** The part of an absolute form that find-my-way, Fastify's router, removes before it looks for a route. */
const ORIGIN = /^https?:\/\/.*?\//i

/** No legitimate name has more layers of encoding. */
const MAX_LAYERS = 5

/** The path and the query of a request target, which may be in absolute form. */
export function splitTarget (target: string): { path: string, query: string } {
  const origin = target.startsWith('/') ? target : target.replace(ORIGIN, '/')
  const mark = origin.indexOf('?')
  return mark === -1 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark) }
}

/**
 * The path and the query that a module gets for a target that matched its prefix. The prefix is decoded, although it
 * may be percent-encoded in the target. The rest is as the client sent it.
 *
 * @param prefix of two segments
 */
export function pathUnder (prefix: string, target: string): string {
  if (target.startsWith(prefix)) return target
  const { path, query } = splitTarget(target)
  return [prefix, ...path.split('/').slice(3)].join('/') + query
}

/**
 * Whether every server reads the same path in a target. Gatehouse matches the path as it is written, but a module may
 * decode or normalise it, perhaps several times. A dot segment, an empty segment or a backslash that appears then could
 * lead out of its prefix.
 */
export function isUnambiguous (target: string): boolean {
  if (!/^[\x21\x22\x24-\x7e]*$/.test(target)) return false
  let { path } = splitTarget(target)
  if (!/[%\\;]|\/[./]/.test(path)) return true
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    if (!hasPlainSegments(path)) return false
    const decoded = decode(path)
    if (decoded === path) return true
    path = decoded
  }
  return false
}

/** Java servers cut off a segment's `;x=1`, so only what is before it counts. Windows cuts off dots and spaces. */
function hasPlainSegments (path: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (/[\\\x00-\x1f\x7f]/.test(path)) return false
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments.every(segment => !/^[. ]*$/.test(segment.replace(/;.*$/, '')))
}

/** Removes one layer of percent-encoding. A `%` without two hexadecimal digits stays as it is. */
function decode (path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('latin1')
    }
  })
}

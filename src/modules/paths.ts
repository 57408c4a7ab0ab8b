/** What find-my-way, Fastify's router, takes away of an absolute form before it looks for a route. */
const ORIGIN = /^https?:\/\/.*?\//i

/** More layers of encoding than these are nobody's name. */
const MAX_LAYERS = 5

/** The path and the query of a request target, which may be in absolute form. */
export function splitTarget (target: string): { path: string, query: string } {
  const origin = target.startsWith('/') ? target : target.replace(ORIGIN, '/')
  const mark = origin.indexOf('?')
  return mark === -1 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark) }
}

/**
 * The path and the query that a module gets of a target that has matched its prefix: the prefix as it is matched, which
 * may be percent-encoded in the target, and the rest as it came.
 *
 * @param prefix of two segments
 */
export function pathUnder (prefix: string, target: string): string {
  if (target.startsWith(prefix)) return target
  const { path, query } = splitTarget(target)
  return [prefix, ...path.split('/').slice(3)].join('/') + query
}

/**
 * Whether every server reads the same path in a target. A module decodes or tidies up what was matched as it is
 * written, perhaps more than once. What would then be a dot segment, an empty segment or a backslash might lead out of
 * its prefix.
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
  // eslint-disable-next-line no-control-regex
  if (/[\\\x00-\x1f\x7f]/.test(path)) return false
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments.every(segment => !/^[. ]*$/.test(segment.replace(/;.*$/, '')))
}

/** One layer of percent-encoding. What encodes no character stays as it is. */
function decode (path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('latin1')
    }
  })
}

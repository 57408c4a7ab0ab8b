type Headers = Record<string, string | string[]>

/** Fields that one cache or kind of cache obeys before `Cache-Control` (RFC 9213), and older ones of the same kind. */
const isTargeted = (name: string): boolean =>
  name.endsWith('-cache-control') || name === 'surrogate-control' || name === 'edge-control'

/**
 * Keeps an answer to one user out of shared caches, unless the module says `public` on purpose. A cache may ignore
 * `Authorization`, as nginx's does: it would give the answer to everyone who asks for the path.
 */
export function keepFromSharedCaches (headers: Headers): void {
  const said = [headers['cache-control'] ?? []].flat().join(', ')
  const directives = said.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '""').toLowerCase().split(',').map(one => one.trim())
  if (directives.includes('public')) return
  for (const name in headers) if (isTargeted(name)) delete headers[name]
  if (directives.includes('private') || directives.includes('no-store')) return
  headers['cache-control'] = said === '' ? 'private' : `private, ${said}`
}

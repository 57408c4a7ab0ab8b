import openapi from '../../openapi.json' with { type: 'json' }
import type { AddressPolicy } from '../limiter/limits/policies.js'
import type { Module } from '../modules/module.js'
import { splitTarget } from '../modules/paths.js'

interface Documented { 'x-rate-limit': { policy: string } }

export interface Routes {
  modules: readonly Module[]
  /** Whether the service has its pages at /docs. */
  docs: boolean
}

/**
 * The policy of a request, by the routes of the service. They come from openapi.json, which is generated from them, and
 * from the modules. A path without a route is `general`, and so is another method of a route.
 */
export function policyOfRequests ({ modules, docs }: Routes): (method: string, target: string) => AddressPolicy {
  const policies = documented()
  const prefixes = modules.map(({ name, prefix, policy }) => ({ name: `/verify/${name}`, prefix, policy }))

  function policyAt (method: string, path: string): AddressPolicy {
    const known = policies.get(`${method} ${path}`)
    if (known) return known
    if (docs && isRead(method) && (path === '/docs' || path.startsWith('/docs/'))) return 'public'
    if (method === 'CONNECT' || method === 'TRACE') return 'general'
    // In the service's own log, `name` is the route of a request that a proxy asked about.
    const module = prefixes.find(({ name, prefix }) =>
      path === prefix || path.startsWith(`${prefix}/`) || path === name)
    return module?.policy ?? 'general'
  }

  return (method, target) => {
    const path = pathOf(target)
    return path === undefined ? 'general' : policyAt(method, path)
  }
}

function documented (): Map<string, AddressPolicy> {
  const policies = new Map<string, AddressPolicy>()
  for (const [path, operations] of Object.entries(openapi.paths)) {
    for (const [method, operation] of Object.entries(operations as unknown as Record<string, Documented>)) {
      const policy = operation['x-rate-limit'].policy as AddressPolicy
      policies.set(`${method.toUpperCase()} ${path}`, policy)
      if (method === 'get') policies.set(`HEAD ${path}`, policy)
    }
  }
  return policies
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The path as the router reads it: without origin, query and fragment, and decoded except for the characters that
 * separate its parts.
 */
function pathOf (target: string): string | undefined {
  const { path } = splitTarget(target)
  const mark = path.indexOf('#')
  const bare = mark === -1 ? path : path.slice(0, mark)
  if (!bare.includes('%')) return bare
  try {
    decodeURIComponent(bare)
    return decodeURI(bare)
  } catch {
    return undefined
  }
}

import createRouter, { type HTTPMethod } from 'find-my-way'
import { METHODS } from 'node:http'
import { DEFAULT_POLICY, policyOf, type AddressPolicy } from '../limiter/limits/policies.js'
import type { Module } from '../modules/module.js'
import { places, type Place } from '../routes/places.js'

/** Those settings of the service on which its routes depend. */
export interface Routes {
  modules: readonly Module[]
  docs: boolean
  sessionHours: number
  verifyPort: number | undefined
}

/** The policy of a request, as Fastify's router finds its route among those of the service and its modules. */
export function policyOfRequests (
  { modules, docs, sessionHours, verifyPort }: Routes
): (method: string, target: string) => AddressPolicy {
  const router = createRouter()
  const add = (methods: readonly string[], url: string, policy: AddressPolicy): void =>
    router.on(methods as HTTPMethod[], url, () => {}, policy)

  for (const { method, urls, needsSessions, ...config } of Object.values<Place>(places)) {
    if (needsSessions && sessionHours === 0) continue
    for (const url of urls) add(method === 'GET' ? READING : [method], url, policyOf(config))
  }
  if (docs) for (const url of ['/docs', '/docs/*']) add(READING, url, 'public')
  // In the service's own log, `/verify/…` is the route of a request that a proxy asked about.
  for (const { name, prefix, policy, upstream } of modules) {
    add(OF_MODULES, `/verify/${name}`, policy)
    // Without an upstream, the requests of a module are those that a proxy asks about.
    if (upstream === undefined && verifyPort === undefined) continue
    for (const url of [prefix, `${prefix}/*`]) add(OF_MODULES, url, policy)
  }
  return (method, target) => router.find(method as HTTPMethod, target)?.store as AddressPolicy ?? DEFAULT_POLICY
}

const READING = ['GET', 'HEAD']
const OF_MODULES = METHODS.filter(method => method !== 'CONNECT' && method !== 'TRACE')

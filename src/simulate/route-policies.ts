import createRouter, { type HTTPMethod } from 'find-my-way'
import { DEFAULT_POLICY, routePolicy, type AddressPolicy } from '../limiter/limits/policies.js'
import { moduleMethods, moduleUrls, type Module } from '../modules/module.js'
import { endpoints, type Endpoint } from '../openapi/endpoints.js'

/** Those settings of the service on which its routes depend. */
export interface Routes {
  modules: readonly Module[]
  docs: boolean
  sessionHours: number
}

/**
 * The policy of a request, as Fastify's router finds its route among those of the service and its modules. A log may
 * have the route itself instead of the target, and a route finds itself.
 */
export function createRoutePolicies (
  { modules, docs, sessionHours }: Routes
): (method: string, target: string) => AddressPolicy {
  const router = createRouter()
  const add = (methods: readonly string[], urls: readonly string[], policy: AddressPolicy): void => {
    for (const url of urls) router.on(methods as HTTPMethod[], url, () => {}, policy)
  }
  const isOn = { sessions: sessionHours > 0, docs }
  for (const { method, urls, needs, ...config } of Object.values<Endpoint>(endpoints)) {
    if (needs !== undefined && !isOn[needs]) continue
    add(method === 'GET' ? ['GET', 'HEAD'] : [method], urls, routePolicy(config))
  }
  // In the service's own log, `/verify/…` is the route of a request that a proxy asked about.
  for (const module of modules) add(moduleMethods, [...moduleUrls(module), `/verify/${module.name}`], module.policy)
  return (method, target) => router.find(method as HTTPMethod, target)?.store as AddressPolicy ?? DEFAULT_POLICY
}

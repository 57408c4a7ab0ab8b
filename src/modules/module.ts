import { createHash } from 'node:crypto'
import { METHODS } from 'node:http'
import type { AddressPolicy } from '../limiter/limits/policies.js'

/** A part of the ERP behind gatehouse. It gets every path that begins with its prefix. */
export interface Module {
  /** `student` for `/api/student`: in headers, metrics and tokens. */
  name: string
  prefix: string
  /** The origin that its requests go to. If it is undefined, gatehouse answers 404. */
  upstream: string | undefined
  /** Whether requests need no token. */
  public: boolean
  /** A token must have one of these roles; empty for any role. */
  roles: readonly string[]
  /** The policy that limits its requests. */
  policy: AddressPolicy
  /** How long it may take until its answer begins. */
  timeoutMs: number
  /** How long a body may pause, in either direction. */
  idleMs: number
  maxBodyBytes: number
  /** What it gets in `Host`: the host of its upstream, or the one that the client asked for. */
  host: 'upstream' | 'client'
  /** The token that it gets: none, the client's token, or a short-lived token for this module alone. */
  token: 'none' | 'pass' | 'own'
  /** Where its OpenAPI document is, for /docs. */
  openapi?: string
}

/** The modules of the ERP. Until the configuration gives them an upstream, they answer 404, under their policy. */
const known = ['/api/student', '/api/employee', '/api/academic', '/api/inventory', '/api/hostel']

const defaults = {
  upstream: undefined,
  public: false,
  roles: [],
  policy: 'general',
  timeoutMs: 25_000,
  idleMs: 30_000,
  maxBodyBytes: 10 * 1024 * 1024,
  host: 'upstream',
  token: 'none'
} as const

export type ModuleSettings = Partial<Omit<Module, 'name' | 'prefix'>>

/** The known modules and those that are configured, in this order. */
export function mergeModules (settings: ReadonlyMap<string, ModuleSettings>): Module[] {
  return [...new Set([...known, ...settings.keys()])].map(prefix => ({
    ...defaults, ...settings.get(prefix), prefix, name: prefix.slice(prefix.lastIndexOf('/') + 1)
  }))
}

/** The requests of a module, as routers know them. */
export const moduleUrls = ({ prefix }: Module): string[] => [prefix, `${prefix}/*`]

/** A module decides about no other methods, because they concern the connection to gatehouse. */
export const moduleMethods = METHODS.filter(method => method !== 'CONNECT' && method !== 'TRACE')

/** The same for the same modules, in whatever order they are configured. */
export const modulesDigest = (modules: readonly Module[]): string =>
  createHash('sha256').update(JSON.stringify(modules.map(module => JSON.stringify(module)).sort())).digest('hex')
    .slice(0, 16)

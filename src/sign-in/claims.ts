import { LOWEST_ROLE } from '../auth/rules.js'
import { normalizeEmail } from '../auth/username.js'
import type { Provider } from './provider.js'

/** The claims of a valid ID token, of any types but for `sub`. */
export interface IdClaims { readonly [claim: string]: unknown, readonly sub: string }

/** At most 255 letters of ASCII, by OpenID Connect Core, section 2. */
export const isSubject = (sub: string): boolean => /^[\x20-\x7e]{1,255}$/.test(sub)

/** Whether the person is one of the school's. @returns why not; undefined if so */
export function whyNoMember (provider: Provider, claims: IdClaims): string | undefined {
  const { tenant, domains } = provider
  if (tenant !== undefined) return claims.tid === tenant ? undefined : 'the claim tid names another tenant, or none'
  if (domains.length === 0) return undefined
  const domain = domainOf(provider, claims)
  if (domain === undefined) return `the claim ${provider.domainFrom ?? 'hd'} names no domain that was proved`
  return domains.includes(domain) ? undefined : 'the domain is not in OIDC_FILE'
}

function domainOf ({ domainFrom = 'hd' }: Provider, { hd, email, email_verified: isVerified }: IdClaims) {
  if (domainFrom === 'hd') return typeof hd === 'string' ? hd.toLowerCase() : undefined
  return isVerified === true ? domainOfAddress(email) : undefined
}

const domainOfAddress = (email: unknown): string | undefined =>
  typeof email === 'string' ? /^[^@\s\p{Cc}]+@([^@\s\p{Cc}]+)$/u.exec(email)?.[1]!.toLowerCase() : undefined

/** Entra writes the optional claim in several ways. It says that the owner of the domain has proved it. */
const EDOV: readonly unknown[] = [true, 1, 'true', '1']

/**
 * The address that the provider vouches for: nobody can have given it to themselves.
 *
 * @param claims of somebody who is one of the school's
 */
export function vouchedEmail ({ tenant, domains }: Provider, claims: IdClaims): string | undefined {
  const { email, email_verified: isVerified, xms_edov: isOfOwner } = claims
  const domain = domainOfAddress(email)
  if (domain === undefined) return undefined
  const isVouched = tenant !== undefined
    ? EDOV.includes(isOfOwner)
    : isVerified === true && domains.includes(domain)
  return isVouched ? normalizeEmail(email as string) : undefined
}

/**
 * The role that the map gives. It changes only the roles that it names, and the lowest one: others were given by
 * people. Someone without a group of the map gets the lowest: providers such as Keycloak leave out a claim without
 * values. Entra also leaves out more than 200 groups, and says so.
 *
 * @param role what the account has
 */
export function mappedRole ({ roles }: Provider, claims: IdClaims, role: string): string {
  if (!roles) return role
  const given = claims[roles.claim]
  const isWithheld = Object.hasOwn(Object(claims['_claim_names']), roles.claim)
  const groups: readonly unknown[] = [given].flat()
  const mapped = Object.entries(roles.map)
  const isOfMap = role === LOWEST_ROLE || mapped.some(([, one]) => one === role)
  if (isWithheld || !isOfMap) return role
  return mapped.find(([group]) => groups.includes(group))?.[1] ?? LOWEST_ROLE
}

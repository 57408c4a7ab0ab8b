import { LRUCache } from 'lru-cache'
import { contains, type Network } from '../../base/networks.js'
import { detached } from '../../base/text.js'
import type { Bucket } from '../bucket/bucket.js'
import type { Client } from './client.js'
import { bucketOf } from '../bucket/key.js'
import { limitFor, type AddressPolicy, type Limits } from './policies.js'
import type { NetworkRule } from './row-schema.js'

/*
 * Reading the text of an address and finding the limits of its network cost more than a take. So the client of each
 * text is remembered. Two texts may mean the same client.
 *
 * Clients that are remembered and then forgotten cost more than reading their texts again, because the garbage
 * collector copies each of them twice (`npm run bench growth`). So there are not very many of them, and chance decides
 * who is remembered. Who asks often soon is, and many that ask once seldom push others out.
 */

/** About 5 MB when full. */
const MAX_TEXTS = 10_000
const CHANCE = 1 / 8

/** A client, and the limits that apply to it. Each limit is looked up at the client's first request under it. */
export class KnownClient implements Client {
  readonly #client: Client
  readonly #limits: Limits
  readonly #found: Partial<Record<AddressPolicy, Bucket | NetworkRule>> = {}
  #address: Client['address'] | undefined
  /** Whether TRUST_PROXY names it, so that it should be a proxy. */
  readonly isTrusted: boolean

  constructor (client: Client, limits: Limits, trusted: readonly Network[]) {
    this.#client = client
    this.#limits = limits
    this.isTrusted = trusted.some(network => contains(network, this.address))
  }

  get key (): string { return this.#client.key }

  get address (): Client['address'] { return (this.#address ??= this.#client.address) }

  /** The address, written in the one canonical way. */
  get text (): string { return this.address.toString() }

  #find (policy: AddressPolicy): Bucket | NetworkRule {
    const found = this.#found[policy]
    if (found !== undefined) return found
    const limit = limitFor(this.#limits, policy, this)
    const first = typeof limit === 'string' ? limit : bucketOf(limit, this.key)
    this.#found[policy] = first
    return first
  }

  /** The bucket that its requests under this policy take from; undefined if it is exempt, or blocked. */
  bucketFor (policy: AddressPolicy): Bucket | undefined {
    const found = this.#find(policy)
    return typeof found === 'string' ? undefined : found
  }

  /** Whether each of its requests under this policy is refused. */
  isBlocked (policy: AddressPolicy): boolean {
    return this.#find(policy) === 'block'
  }

  /** The bucket that its users share, in front of their own; undefined if the policy does not count by user here. */
  sharedBucketFor (policy: AddressPolicy): Bucket | undefined {
    const address = this.bucketFor(policy)?.policy.address
    return address && bucketOf(address, this.key)
  }
}

/**
 * Remembers the clients that `limits.clients` reads. After a change of limits, the caller makes a new function.
 *
 * @param trusted the networks of trusted proxies
 * @param read finds the client of a text
 * @returns the client at the first of two texts that is one, with the limits that apply to it
 */
export function createClientCache (
  limits: Limits, trusted: readonly Network[] = [], maxTexts = MAX_TEXTS,
  read = (text: string): Client | undefined => limits.clients.fromAddress(text)
): (forwarded: string | undefined, peer: string | undefined) => KnownClient | undefined {
  const clients = new LRUCache<string, KnownClient>({ max: maxTexts })

  function clientAt (text: string | undefined): KnownClient | undefined {
    if (text === undefined) return undefined
    const known = clients.get(text)
    if (known) return known
    const own = detached(text)
    const client = read(own)
    if (!client) return undefined
    const found = new KnownClient(client, limits, trusted)
    if (Math.random() < CHANCE) clients.set(own, found)
    return found
  }

  return (forwarded, peer) => clientAt(forwarded) ?? clientAt(peer)
}

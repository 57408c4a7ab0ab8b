import { LRUCache } from 'lru-cache'
import type { Bucket } from './bucket.js'
import { clientOf, contains, parseAddress, type Client, type Network } from './client.js'
import { bucketOf } from './key.js'
import { limitFor, type AddressPolicy, type Limits } from './policies.js'

/*
 * Reading the text of an address and finding the limits of its network cost more than a take. So the client of each
 * text is remembered. Two texts may be one client.
 */

/** About 10 MB when full. */
const MAX_TEXTS = 20_000

/** A client, and what it is held to. */
export interface KnownClient extends Client {
  /** The bucket that its requests under this policy take from; undefined if it is exempt, or blocked. */
  bucketFor: (policy: AddressPolicy) => Bucket | undefined
  /** Whether each of its requests under this policy is refused. */
  isBlocked: (policy: AddressPolicy) => boolean
  /** What its users share in front of their own buckets; undefined if the policy does not count by user here. */
  sharedBucketFor: (policy: AddressPolicy) => Bucket | undefined
}

/**
 * `clientOf`, remembered. It is made again when the limits have changed.
 *
 * @returns for what the trusted proxies say of the client and for the peer's address: the client, or undefined when the
 * socket is gone and nobody is left to be limited
 */
export function rememberClients (
  limits: Limits, maxTexts = MAX_TEXTS
): (forwarded: string | undefined, peer: string | undefined) => KnownClient | undefined {
  const clients = new LRUCache<string, KnownClient>({ max: maxTexts })

  function clientAt (text: string | undefined): KnownClient | undefined {
    if (text === undefined) return undefined
    const known = clients.get(text)
    if (known) return known
    const client = clientOf(text, undefined)
    if (!client) return undefined
    const remembered = withBuckets(client, limits)
    clients.set(text, remembered)
    return remembered
  }

  return (forwarded, peer) => clientAt(forwarded) ?? clientAt(peer)
}

/** Few clients are blocked. */
const none: readonly AddressPolicy[] = []

function withBuckets (client: Client, limits: Limits): KnownClient {
  const buckets = new Map<AddressPolicy, Bucket | undefined>()
  let blocked = none
  /** Few limits count by user. */
  let shared: Map<AddressPolicy, Bucket> | undefined

  function bucketFor (policy: AddressPolicy): Bucket | undefined {
    const known = buckets.get(policy)
    if (known || buckets.has(policy)) return known
    const limit = limitFor(limits, policy, client)
    if (limit === 'block') blocked = [...blocked, policy]
    const bucket = typeof limit === 'string' ? undefined : bucketOf(limit, client.key)
    buckets.set(policy, bucket)
    return bucket
  }

  function sharedBucketFor (policy: AddressPolicy): Bucket | undefined {
    const address = bucketFor(policy)?.policy.address
    if (!address) return undefined
    const known = shared?.get(policy) ?? bucketOf(address, client.key)
    shared ??= new Map()
    shared.set(policy, known)
    return known
  }

  const isBlocked = (policy: AddressPolicy): boolean => bucketFor(policy) === undefined && blocked.includes(policy)

  return { ...client, bucketFor, isBlocked, sharedBucketFor }
}

/**
 * Whether a peer is a trusted proxy. Fastify would match a list of networks with a slower library, and would believe
 * what the client wrote if its option were a number or `true`.
 */
export function trustIn (networks: readonly Network[]): (address: string | undefined) => boolean {
  const answers = new LRUCache<string, boolean>({ max: MAX_TEXTS })
  return (text) => {
    if (text === undefined || networks.length === 0) return false
    let trusted = answers.get(text)
    if (trusted === undefined) {
      const address = parseAddress(text)
      trusted = address !== undefined && networks.some(network => contains(network, address))
      if (address) answers.set(text, trusted)
    }
    return trusted
  }
}

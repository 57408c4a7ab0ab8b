import { networkInterfaces } from 'node:os'
import { accountAddress } from '../auth/account-throttle.js'
import { accountKey } from '../auth/username.js'
import type { Config } from '../config/config.js'
import { contains, isPrivate, networkText, type Network } from '../base/networks.js'
import type { Client, Clients } from '../limiter/limits/client.js'
import type { BucketStore } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { action, note, ok, type Finding } from '../base/finding.js'
import { isLoopback } from '../base/loopback.js'

/** @returns the client address of this user's login as the limiter saw it; undefined if Redis has no bucket of it */
export async function loginAddress (
  store: BucketStore, user: string, { limits: { policies, clients } }: Config
): Promise<Client | undefined> {
  const account = accountKey(user)
  const owner = accountAddress(account, '')
  let arrived: Client | undefined
  for await (const bucket of store.list({ policyName: 'account-address' })) {
    if (!bucket.owner.startsWith(owner)) continue
    arrived = clients.parse(bucket.owner.slice(owner.length))
    await store.reset(bucket)
  }
  await store.reset(bucketOf(policies.account, account))
  return arrived
}

/** Both ends of the connection to PUBLIC_URL, and the forged X-Forwarded-For. */
interface Sent { local: string, remote: string, forged: string }

export function judgeChain (
  arrived: Client, { local, remote, forged }: Sent, { trustProxy, limits: { clients } }: Config
): Finding {
  const trusted = (client: Client | undefined): boolean =>
    client !== undefined && trustProxy.some(network => contains(network, client.address))
  const believed = trustProxy.map(networkText).join(', ')
  if (arrived.key === clients.parse(forged)!.key) {
    if (trusted(clients.parse(local))) {
      const found = 'unknown: this machine is itself in TRUST_PROXY, so its X-Forwarded-For is believed'
      return note(found, 'run this on another machine')
    }
    return action(
      'an X-Forwarded-For that a client wrote is believed: with each address that it makes up, it has full buckets',
      `let the outermost proxy overwrite it, and let TRUST_PROXY (${believed}) name proxies alone`
    )
  }
  const found = `a request through PUBLIC_URL arrives as ${arrived.key}`
  const forgery = 'a forged X-Forwarded-For is not believed'
  if (isOwn(arrived, local, remote, clients)) return ok(`${found}, this machine's address; ${forgery}`)
  const behind = 'all clients behind it share one bucket'
  if (arrived.key === clients.parse(remote)?.key) {
    return action(`${found}, which is where PUBLIC_URL leads: ${behind}`, 'name the proxy in TRUST_PROXY')
  }
  if (!isPrivate(arrived.address)) {
    return ok(`${found}, which should be this machine's public address; ${forgery}`)
  }
  if (trusted(arrived)) {
    return note(`${found}, which is in TRUST_PROXY: the proxy there sends no X-Forwarded-For, and ${behind}; or this ` +
      'machine reaches PUBLIC_URL by way of it', 'run this on another machine to tell them apart')
  }
  return action(`${found}, a private address that is not this machine's: if it is a proxy, ${behind}`,
    'let it send X-Forwarded-For, and name it in TRUST_PROXY (docker compose: EDGE_NETWORKS)')
}

/** Larger private networks have more in them than proxies. Those of a public CDN do not. */
const WIDEST = { ipv4: 24, ipv6: 64 }

/** @returns a finding for each network of TRUST_PROXY in which clients may be */
export function judgeNetworks (trustProxy: readonly Network[]): Finding[] {
  const wide = trustProxy.filter(({ address, prefixLength }) =>
    isPrivate(address) && prefixLength < WIDEST[address.kind()])
  return wide.map(network => note(
    `TRUST_PROXY names the network ${networkText(network)}: whatever in it can connect to a replica is whichever ` +
    'client it claims to be',
    'name the address of each proxy; or let nothing else in that network connect to replicas'
  ))
}

/**
 * A loopback address only means this machine if the connection used one, because replicas have loopback addresses, too.
 */
function isOwn (arrived: Client, local: string, remote: string, clients: Clients): boolean {
  const over = isLoopback(remote.replace(/^::ffff:/, ''))
  const own = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
    .filter(({ internal }) => !internal || over).map(({ address }) => address)
  return [local, ...own].some(address => clients.parse(address)?.key === arrived.key)
}

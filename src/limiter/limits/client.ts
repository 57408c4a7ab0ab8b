import { isIPv4 } from 'node:net'
import { networkOf, networkText, parseAddress, type Address, type Network } from '../../base/networks.js'

/** Who is limited. */
export interface Client {
  /**
   * The owner in the keys of buckets, as canonical text. It is an IPv4 address, or the IPv6 network of
   * CLIENT_IPV6_PREFIX: a /64 by default, which is the smallest network that one customer gets.
   */
  key: string
  address: Address
}

/** Most clients. The address is seldom asked for, and reading it costs more than all else of a new client. */
class IPv4Client implements Client {
  /** @param key the address, written in the one canonical way */
  constructor (readonly key: string) {}

  get address (): Address { return parseAddress(this.key)! }
}

/** The address of a client, or the first one of its network. */
export const addressOfKey = (key: string): Address | undefined => parseAddress(key.replace(/\/\d+$/, ''))

/** No limit is for a smaller network than this. */
const LONGEST_IPV6_PREFIX = 64

/** Which addresses are one client. It is a part of the limits, because all replicas and commands must agree on it. */
export class Clients {
  /** @param ipv6Prefix CLIENT_IPV6_PREFIX: 48 to 64 */
  constructor (readonly ipv6Prefix: number = LONGEST_IPV6_PREFIX) {}

  /**
   * @param text the address of a socket's peer, or of a client as trusted proxies report it
   * @returns undefined when the socket is closed, so that there is no client to limit
   */
  fromAddress (text: string | undefined): Client | undefined {
    if (text !== undefined && isIPv4(text)) return new IPv4Client(text)
    const address = parseAddress(text)
    return address && { key: this.#keyOf(address), address }
  }

  /**
   * Logs and buckets may have clients of another CLIENT_IPV6_PREFIX.
   *
   * @returns undefined for a text that is neither an address nor a network in one client, such as `2001:db8::/64`
   */
  parse (text: string): Client | undefined {
    const [, bare, bits] = /^(.*)\/(\d\d)$/.exec(text) ?? []
    if (bits === undefined) return this.fromAddress(text)
    const address = parseAddress(bare)
    const isPart = address?.kind() === 'ipv6' && Number(bits) >= this.ipv6Prefix && Number(bits) <= LONGEST_IPV6_PREFIX
    return isPart ? { key: this.#keyOf(address), address } : undefined
  }

  /** Whether a network is smaller than one client. */
  isPart ({ address, prefixLength }: Network): boolean {
    return address.kind() === 'ipv6' && prefixLength > this.ipv6Prefix
  }

  #keyOf (address: Address): string {
    return address.kind() === 'ipv4' ? address.toString() : networkText(networkOf(address, this.ipv6Prefix))
  }
}

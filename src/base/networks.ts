import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { detached } from './text.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Every address that begins with the same bits. */
export interface Network {
  address: Address
  prefixLength: number
}

/** The longest address text, with a zone and a port, is well below this. A longer text is not an address. */
const MAX_LENGTH = 100

/**
 * Reads an address as proxies write it: `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]:443`,
 * `::ffff:192.0.2.1` (which is IPv4), `fe80::1%eth0`.
 *
 * @returns undefined for anything else
 */
export function parseAddress (text: string | undefined): Address | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  const bare = /^[\d.]*$/.test(text) ? text : bareIn(text)
  if (bare.includes(':')) return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined
  // ipaddr.js would parse it four times.
  const octets = IPV4.exec(bare)?.slice(1).map(Number)
  return octets?.every(octet => octet < 256) ? new ipaddr.IPv4(octets) : undefined
}

/** Without a port or a zone. */
const bareIn = (text: string): string =>
  text.trim().replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1').replace(/%.*$/, '')

/** A number that begins with 0 is octal for some programs. */
const IPV4 = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/

/** @throws when the text is not a network in CIDR notation, without host bits, or one address */
export function parseNetwork (text: string): Network {
  const [address, bits, ...rest] = text.trim().split('/')
  // A proxy writes ports and zones; a network has neither.
  const parsed = /[%[\]]|\.\d+:/.test(address!) ? undefined : parseAddress(address)
  const max = parsed?.kind() === 'ipv4' ? 32 : 128
  const length = bits === undefined ? max : Number(bits)
  if (!parsed || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || length > max) {
    throw new Error(`"${text}" is not a network such as 10.0.0.0/8 or 2001:db8::/32`)
  }
  const network = networkOf(parsed, length)
  if (network.address.toString() !== parsed.toString()) {
    const whole = networkText(network)
    throw new Error(`"${text}" is an address within a network: write ${whole} for the network, or the address alone`)
  }
  return network
}

/** The canonical text of a network. */
export const networkText = ({ address, prefixLength }: Network): string => `${address.toString()}/${prefixLength}`

/** The network of this size that an address is in. */
export function networkOf (address: Address, prefixLength: number): Network {
  const bytes = address.toByteArray().map((byte, i) => {
    const bits = Math.min(8, Math.max(0, prefixLength - 8 * i))
    return byte & (0xff00 >> bits)
  })
  return { address: ipaddr.fromByteArray(bytes), prefixLength }
}

const PRIVATE_RANGES = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']

/** Whether no client of the internet has this address. */
export const isPrivate = (address: Address): boolean => PRIVATE_RANGES.includes(address.range())

export function contains (network: Network, address: Address): boolean {
  return network.address.kind() === address.kind() && address.match(network.address, network.prefixLength)
}

/** About 4 MB when full. */
const MAX_ANSWERS = 20_000

/**
 * Whether a peer is a trusted proxy. Fastify would match a list of networks with a slower library, and would believe
 * what the client wrote if its option were a number or `true`.
 */
export function createNetworkMatcher (networks: readonly Network[]): (address: string | undefined) => boolean {
  const answers = new LRUCache<string, boolean>({ max: MAX_ANSWERS })
  return (text) => {
    if (text === undefined || networks.length === 0) return false
    let trusted = answers.get(text)
    if (trusted === undefined) {
      const address = parseAddress(text)
      trusted = address !== undefined && networks.some(network => contains(network, address))
      if (address) answers.set(detached(text), trusted)
    }
    return trusted
  }
}

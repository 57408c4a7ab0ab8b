import { contains, networkOf, networkText, type Address, type Network } from '../base/networks.js'
import { addressOfKey, type Clients } from '../limiter/limits/client.js'
import { parsePairKey, type LoginTally } from './login-tally.js'

/** Addresses of one of these networks are one attacker. A larger one is rarely all theirs. */
const GROUP = { ipv4: 24, ipv6: 48 } as const
const MAX_BLOCKS = 5
/** A block that stops a smaller share of the failures is not suggested. */
const LEAST_SHARE = 0.05

export interface Block {
  network: string
  command: string
  /** How many logins it would have stopped that did not succeed. */
  stopped: number
  /** Who succeeded from there. */
  users: string[]
}

/** The network of an address whose addresses may be one attacker; undefined for a text that is no address. */
export function attackerNetwork (text: string): string | undefined {
  const address = addressOfKey(text)
  return address && networkText(networkOf(address, GROUP[address.kind()]))
}

/**
 * Networks whose addresses fail at many accounts together, however few each of them tries.
 *
 * @param attack decides whether a network attacks. `failures` counts the accounts that never logged in there, and
 * unknown names; `users` counts those who did. A network of an internet provider has many users, and some who mistype
 */
export function attackingNetworks (
  tally: LoginTally, attack: (failures: number, users: number) => boolean
): Set<string> {
  const groups = new Map<string, { missed: Set<string>, unknownNames: number, users: Set<string> }>()
  for (const [key, { failed }] of tally.failures()) {
    const { account, address } = parsePairKey(key)
    const name = attackerNetwork(address)
    if (name === undefined) continue
    const group = groups.get(name) ?? { missed: new Set(), unknownNames: 0, users: new Set() }
    groups.set(name, group)
    if (account === '') group.unknownNames += failed
    else group.missed.add(account)
  }
  for (const key of tally.successes().keys()) {
    const { account, address } = parsePairKey(key)
    const group = groups.get(attackerNetwork(address) ?? '')
    group?.users.add(account)
    group?.missed.delete(account)
  }
  return new Set([...groups].filter(([, { missed, unknownNames, users }]) =>
    attack(missed.size + unknownNames, users.size)).map(([name]) => name))
}

/** The smallest networks of these addresses, those with the most failures first. */
export function narrowestBlocks (
  tally: LoginTally, attackers: ReadonlySet<string>, failures: number, clients: Clients
): Block[] {
  const groups = new Map<string, { addresses: Address[], stopped: number }>()
  for (const text of attackers) {
    const [address, name, tries] = [addressOfKey(text), attackerNetwork(text), tally.addresses().get(text)]
    if (!address || name === undefined || !tries) continue
    const group = groups.get(name) ?? { addresses: [], stopped: 0 }
    group.addresses.push(address)
    group.stopped += tries.failed + tries.refused
    groups.set(name, group)
  }
  const most = [...groups.values()].filter(({ stopped }) => stopped >= LEAST_SHARE * failures)
    .sort((a, b) => b.stopped - a.stopped).slice(0, MAX_BLOCKS)
    .map(({ addresses, stopped }) => ({ network: around(addresses, clients), stopped, users: new Set<string>() }))
  for (const key of most.length === 0 ? [] : tally.successes().keys()) {
    const { account, address } = parsePairKey(key)
    const from = addressOfKey(address)
    for (const { network, users } of most) if (from && contains(network, from)) users.add(account)
  }
  return most.map(({ network, stopped, users }) => {
    const text = networkText(network)
    const command = `gatehouse limits set login --network ${text} --block`
    return { network: text, command, stopped, users: [...users] }
  })
}

/** The smallest network with all clients of these addresses, or a larger one. */
function around (addresses: Address[], { ipv6Prefix }: Clients): Network {
  const address = addresses[0]!
  const atMost = address.kind() === 'ipv4' ? 32 : ipv6Prefix
  const bytes = addresses.map(one => one.toByteArray())
  const isShared = (bit: number): boolean => bytes.every(one => bitOf(one, bit) === bitOf(bytes[0]!, bit))
  let length = 0
  while (length < atMost && isShared(length)) length++
  return networkOf(address, length)
}

const bitOf = (bytes: number[], bit: number): number => bytes[bit >> 3]! >> (7 - bit % 8) & 1

import ipaddr from 'ipaddr.js'
import {
  contains, networkText, parseClient, parseNetwork, type Client, type Network
} from '../limiter/limits/client.js'
import { pairOf, type Tally } from './tally.js'

/** Attackers in one of these networks are blocked together. A larger one is rarely all theirs. */
const GROUP = { ipv4: 24, ipv6: 48 } as const
const MAX_BLOCKS = 5
/** A block that stops less of the failures is not worth a command. */
const LEAST_SHARE = 0.05

export interface Block {
  network: string
  command: string
  /** How many logins it would have stopped that did not succeed. */
  stopped: number
  /** Who succeeded from there. */
  users: string[]
}

/** The smallest networks of these addresses, those with the most failures first. */
export function narrowestBlocks (tally: Tally, attackers: ReadonlySet<string>, failures: number): Block[] {
  const groups = new Map<string, { clients: Client[], stopped: number }>()
  for (const text of attackers) {
    const client = parseClient(text)
    const tries = tally.addresses().get(text)
    if (!client || !tries) continue
    const name = networkText(around([client], GROUP[client.address.kind()]))
    const group = groups.get(name) ?? { clients: [], stopped: 0 }
    group.clients.push(client)
    group.stopped += tries.failed + tries.refused
    groups.set(name, group)
  }
  const most = [...groups.values()].filter(({ stopped }) => stopped >= LEAST_SHARE * failures)
    .sort((a, b) => b.stopped - a.stopped).slice(0, MAX_BLOCKS)
    .map(({ clients, stopped }) => ({ network: around(clients), stopped, users: new Set<string>() }))
  for (const key of most.length === 0 ? [] : tally.successes().keys()) {
    const { account, address } = pairOf(key)
    const client = parseClient(address)
    for (const { network, users } of most) if (client && contains(network, client.address)) users.add(account)
  }
  return most.map(({ network, stopped, users }) => {
    const text = networkText(network)
    const command = `gatehouse limits set login --network ${text} --block`
    return { network: text, command, stopped, users: [...users] }
  })
}

/** The smallest network with all these clients, or a larger one. An IPv6 client is a /64. */
function around (clients: Client[], atMost: number = clients[0]!.address.kind() === 'ipv4' ? 32 : 64): Network {
  const bytes = clients.map(({ address }) => address.toByteArray())
  const isShared = (bit: number): boolean => bytes.every(one => bitOf(one, bit) === bitOf(bytes[0]!, bit))
  let length = 0
  while (length < atMost && isShared(length)) length++
  const { address } = clients[0]!
  const cidr = `${address.toString()}/${length}`
  const first = (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(cidr)
  return parseNetwork(`${first.toString()}/${length}`)
}

const bitOf = (bytes: number[], bit: number): number => bytes[bit >> 3]! >> (7 - bit % 8) & 1

import { LRUCache } from 'lru-cache'
import { clientOf, contains, parseAddress, type Client, type Network } from './client.js'

/* To read the text of an address costs more than a take, so what it means is remembered. Two texts may be one client. */

const MAX_TEXTS = 10_000

/** `clientOf`, remembered. */
export function rememberClients (): typeof clientOf {
  const clients = new LRUCache<string, Client>({ max: MAX_TEXTS })

  function clientAt (text: string | undefined): Client | undefined {
    if (text === undefined) return undefined
    let client = clients.get(text)
    if (!client) {
      client = clientOf(text, undefined)
      if (client) clients.set(text, client)
    }
    return client
  }

  return (forwarded, peer) => clientAt(forwarded) ?? clientAt(peer)
}

/**
 * Fastify's `trustProxy`: whether a peer's word about its clients is believed. A list would be matched by a slower
 * library, and a number or `true` believes what the client wrote.
 */
export function trustIn (networks: readonly Network[]): (address: string) => boolean {
  const answers = new LRUCache<string, boolean>({ max: MAX_TEXTS })
  return (text) => {
    let trusted = answers.get(text)
    if (trusted === undefined) {
      const address = parseAddress(text)
      trusted = address !== undefined && networks.some(network => contains(network, address))
      if (address) answers.set(text, trusted)
    }
    return trusted
  }
}

import type { KnownClient } from '../limiter/limits/known-clients.js'

/*
 * Which address of a line is the client. A log behind a balancer has the balancer's address as the client, and perhaps
 * X-Forwarded-For beside it. Then a simulation would find one client with all requests, so the report says it.
 */

/** The part of all requests from which on one address looks like a balancer. */
const MOST = 0.9
/** With fewer requests, one client may well have sent most of them. */
const MIN_REQUESTS = 100
/** More private addresses are not counted. */
const MAX_COUNTED = 1000

/** @param remembered reads the text of an address */
export function createPeers (
  remembered: (text: string) => KnownClient | undefined, isTrusted: (text: string) => boolean
) {
  let total = 0
  /** How many lines private addresses have, and how many of them with X-Forwarded-For. */
  const counts = new Map<string, { lines: number, forwarded: number }>()

  function count (client: KnownClient, forwarded: string | undefined): void {
    total++
    if (!PRIVATE.has(client.address.range())) return
    let ofClient = counts.get(client.key)
    if (!ofClient) {
      if (counts.size === MAX_COUNTED) return
      counts.set(client.key, ofClient = { lines: 0, forwarded: 0 })
    }
    ofClient.lines++
    if (forwarded !== undefined) ofClient.forwarded++
  }

  return {
    /** As Fastify does: the last address of the list that no trusted proxy has. */
    clientOf (peer: string, forwarded: string | undefined): KnownClient | undefined {
      let text = peer
      const hops = forwarded?.split(',') ?? []
      while (hops.length > 0 && isTrusted(text)) text = hops.pop()!.trim()
      const client = remembered(text) ?? remembered(peer)
      if (client) count(client, text === peer ? forwarded : undefined)
      return client
    },

    /** Sentences about what looks like a balancer. */
    notes (): string[] {
      const [most] = [...counts].sort(([, a], [, b]) => b.lines - a.lines)
      if (!most || total < MIN_REQUESTS || most[1].lines < MOST * total) return []
      const [address, { lines, forwarded }] = most
      const next = forwarded > 0
        ? `Set TRUST_PROXY=${address}, as the service has it: then X-Forwarded-For names the client.`
        : 'Let the balancer log the client, or use its own log.'
      const part = Math.round(lines / total * 100)
      return [`${part} % of the requests are from ${address}, which looks like a balancer, and are counted as one ` +
        `client. ${next}`]
    }
  }
}

const PRIVATE = new Set<string>(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

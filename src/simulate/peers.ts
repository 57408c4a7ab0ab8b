import type { KnownClient } from '../limiter/limits/known-clients.js'

/*
 * Which address of a line is the client. A log behind a balancer has the balancer's address as the client, and perhaps
 * X-Forwarded-For beside it. Then a simulation would find one client with all requests, so the report says it.
 */

/** The part of all requests from which on one address looks like a balancer. */
const MOST = 0.9
/** With fewer requests, one client may well have sent most of them. */
const MIN_REQUESTS = 100

/** @param remembered reads the text of an address */
export function createPeers (
  remembered: (text: string) => KnownClient | undefined, isTrusted: (text: string) => boolean
) {
  let total = 0
  /** By the majority vote of Boyer and Moore: at the end an address with more than half of the requests. */
  let candidate: { client: KnownClient, lead: number, lines: number, forwarded: number } | undefined

  function count (client: KnownClient, forwarded: string | undefined): void {
    total++
    if (candidate?.client.key !== client.key) {
      if (candidate && candidate.lead-- > 0) return
      candidate = { client, lead: 0, lines: 0, forwarded: 0 }
    }
    candidate.lead++
    candidate.lines++
    if (forwarded !== undefined) candidate.forwarded++
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
      if (!candidate || total < MIN_REQUESTS || candidate.lines < MOST * total) return []
      const { client: { key: address }, lines, forwarded } = candidate
      if (!PRIVATE.has(candidate.client.address.range())) return []
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

import { isPrivate } from '../base/networks.js'
import type { KnownClient } from '../limiter/limits/known-clients.js'

/*
 * Which address of a line is the client. A log behind a balancer has the balancer's address as the client, and perhaps
 * X-Forwarded-For beside it. Then a simulation would find one client with all requests, so the report says it.
 */

/** The part of all requests from which on a few addresses look like balancers. */
const MOST = 0.9
/** With fewer requests, a few clients may well have sent most of them. */
const MIN_REQUESTS = 100
/** A cloud's balancer has an address in each zone. */
const MAX_BALANCERS = 8

interface Candidate { client: KnownClient, lead: number, lines: number, forwarded: number }

/** @param remembered reads the text of an address */
export function createPeers (
  remembered: (text: string) => KnownClient | undefined, isTrusted: (text: string) => boolean
) {
  let total = 0
  /** Lines whose client is a proxy that is trusted. */
  let unnamed = 0
  /** By the algorithm of Misra and Gries: at the end, also each address with more than a ninth of the requests. */
  const candidates = new Map<string, Candidate>()

  function count (client: KnownClient, forwarded: string | undefined): void {
    total++
    const known = candidates.get(client.key)
    if (!known && candidates.size === MAX_BALANCERS) {
      for (const one of candidates.values()) if (--one.lead === 0) candidates.delete(one.client.key)
      return
    }
    const candidate = known ?? { client, lead: 0, lines: 0, forwarded: 0 }
    if (!known) candidates.set(client.key, candidate)
    candidate.lead++
    candidate.lines++
    if (forwarded !== undefined) candidate.forwarded++
  }

  const partOf = (lines: number): string => `${Math.round(lines / total * 100)} % of the requests`

  return {
    /** As Fastify does: the last address of the list that no trusted proxy has. */
    clientOf (peer: string, forwarded: string | undefined): KnownClient | undefined {
      let text = peer
      const hops = forwarded?.split(',') ?? []
      while (hops.length > 0 && isTrusted(text)) text = hops.pop()!.trim()
      const client = remembered(text) ?? remembered(peer)
      if (!client) return undefined
      count(client, text === peer ? forwarded : undefined)
      if (isTrusted(text)) unnamed++
      return client
    },

    /** Sentences about what looks like a balancer. */
    notes (): string[] {
      if (total < MIN_REQUESTS) return []
      if (unnamed >= MOST * total) {
        return [`${partOf(unnamed)} are from proxies of TRUST_PROXY, and their lines name no other client, so each ` +
          'proxy is counted as one client. Let the proxies log the client.']
      }
      const found = [...candidates.values()].filter(({ client, lines }) =>
        lines > total / (MAX_BALANCERS + 1) && isPrivate(client.address))
      const lines = found.reduce((sum, one) => sum + one.lines, 0)
      if (lines < MOST * total) return []
      const addresses = found.map(({ client }) => client.key).join(',')
      const next = found.some(({ forwarded }) => forwarded > 0)
        ? `Set TRUST_PROXY=${addresses}, as the service has it: then X-Forwarded-For names the client.`
        : 'Let the balancer log the client, or use its own log.'
      return [found.length === 1
        ? `${partOf(lines)} are from ${addresses}, which looks like a balancer, and are counted as one client. ${next}`
        : `${partOf(lines)} are from ${addresses}, each counted as one client. If they are a balancer's: ${next}`]
    }
  }
}

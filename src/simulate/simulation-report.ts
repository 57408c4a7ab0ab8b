import { numbersOf, type Limits, type PolicyName } from '../limiter/limits/policies.js'
import type { Numbers } from '../limiter/limits/row-schema.js'
import type { LogLines } from '../access-log/requests.js'
import type { Unenforced } from './replay.js'
import type { Suggestion } from './suggestions.js'
import { byRefusals, type RequestCounts, type Tally } from './tally.js'

const HOUR_MS = 3_600_000

/** How many clients a report has for each policy: those with the most refusals. */
const MAX_CLIENTS = 20

interface PolicyRow extends RequestCounts {
  policy: string
  /** That of clients whose network has no limit of its own. */
  limit: Numbers
  /** How many clients would be refused. */
  clients: number
  /** How many requests came under a limit that refuses nothing, and why it does not. */
  unenforced: Partial<Record<Unenforced, number>>
}

/** The result of a simulation, in the form of its JSON. */
export interface SimulationReport {
  from: string
  to: string
  lines: { read: number, unreadable: number, first: Array<{ file: string, line: number, text: string }> }
  policies: PolicyRow[]
  /** Every hour in which there were requests of the policy. */
  hours: Array<RequestCounts & { hour: string, policy: string }>
  clients: Array<{ policy: string, client: string, refused: number, refusedInLog: number }>
  suggestions?: Suggestion[]
  /** Sentences about what is approximate in this report. */
  notes: string[]
}

interface Findings {
  limits: Limits
  logs: LogLines[]
  tally: Tally
  suggestions: Suggestion[] | undefined
  notes: string[]
}

export function createSimulationReport ({ limits, logs, tally, suggestions, notes }: Findings): SimulationReport {
  const names = Object.keys(limits.policies)
  const clients = [...tally.clients.values()].sort(byRefusals)
  return {
    from: new Date(tally.fromMs).toISOString(),
    to: new Date(tally.toMs).toISOString(),
    lines: {
      read: sum(logs.map(({ lines }) => lines)),
      unreadable: sum(logs.map(({ unreadable }) => unreadable)),
      first: logs.flatMap(({ file, first }) => first.map(line => ({ file, ...line }))).slice(0, 3)
    },
    policies: names.filter(policy => tally.policies.has(policy)).map(policy => ({
      policy,
      limit: numbersOf(limits.policies[policy as PolicyName]),
      ...tally.policies.get(policy)!,
      clients: clients.filter(client => client.policy === policy && client.refused > 0).length,
      unenforced: tally.unenforced.get(policy) ?? {}
    })),
    hours: [...tally.hours].sort(([a], [b]) => a - b).flatMap(([hour, policies]) =>
      [...policies].map(([policy, counts]) => ({ hour: hourText(hour), policy, ...counts }))),
    clients: names.flatMap(policy => clients.filter(client => client.policy === policy).slice(0, MAX_CLIENTS)),
    ...suggestions && { suggestions },
    notes
  }
}

const hourText = (hour: number): string =>
  `${new Date(hour * HOUR_MS).toISOString().slice(0, 'yyyy-mm-ddThh'.length)}:00Z`

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0)

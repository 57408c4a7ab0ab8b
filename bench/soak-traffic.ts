import { setTimeout } from 'node:timers/promises'

/** What a client got. The status is 0 if there was no answer, and then the text says why. */
export interface Answer { status: number, retryAfter: string | null, text: string }

/** One kind of requests, which come at a steady rate, whatever becomes of those before. */
export interface Kind {
  name: string
  /** The columns of the table in which its times are. */
  group: string
  perSecond: number
  /** @param n counts the requests of all kinds */
  ask: (n: number) => Promise<Response>
  /** Whether a client may get this answer while these faults last. */
  isRight: (answer: Answer, faults: Set<string>) => boolean
}

/** A later answer is wrong, even if it is the right one. */
const LATE_MS = 2500
/** A client gives up after this time. */
const PATIENCE_MS = 10_000
/** Everything has recovered so long after the end of its fault. */
const GRACE_MS = 2000
const TICK_MS = 10

export interface Faults {
  /** Until shortly after its end, answers may be what this fault allows. */
  during: (name: string, action: () => Promise<void>) => Promise<void>
  /** Those of any moment since then. */
  since: (ms: number) => Set<string>
}

export function trackFaults (): Faults {
  const past: Array<{ name: string, endMs: number }> = []
  return {
    async during (name, action) {
      const fault = { name, endMs: Infinity }
      past.push(fault)
      await action()
      await setTimeout(GRACE_MS)
      fault.endMs = performance.now()
    },
    since: ms => new Set(past.filter(({ endMs }) => endMs > ms).map(({ name }) => name))
  }
}

/** What happened since the last look. */
export interface Tally {
  requests: number
  /** In ms, by group. */
  times: Map<string, number[]>
  /** 503s that a fault allows. */
  unavailable: number
  wrongInside: number
  wrongOutside: number
  faults: Set<string>
}

export interface Traffic {
  /** Counts what was not asked by a kind. */
  count: (kind: Pick<Kind, 'name' | 'group' | 'isRight'>, answer: Answer, startedMs: number) => void
  /** @returns what happened since the last call */
  look: () => Tally
  /** The first wrong answers. */
  wrong: string[]
  /** @returns when all requests are answered */
  stop: () => Promise<void>
}

export function startTraffic (kinds: Kind[], faults: Faults): Traffic {
  const newTally = (): Tally => ({
    requests: 0, times: new Map(), unavailable: 0, wrongInside: 0, wrongOutside: 0, faults: new Set()
  })
  let tally = newTally()
  const wrong: string[] = []
  const underWay = new Set<Promise<void>>()

  const count: Traffic['count'] = ({ name, group, isRight }, answer, startedMs) => {
    const tookMs = performance.now() - startedMs
    const during = faults.since(startedMs)
    tally.requests++
    const times = tally.times.get(group) ?? []
    times.push(tookMs)
    tally.times.set(group, times)
    for (const fault of during) tally.faults.add(fault)
    if (isRight(answer, during) && tookMs < LATE_MS) {
      if (answer.status === 503) tally.unavailable++
      return
    }
    if (during.size > 0) tally.wrongInside++
    else tally.wrongOutside++
    if (wrong.length < 50) {
      wrong.push(`${new Date().toISOString()} ${name}: ${answer.status} after ${Math.round(tookMs)} ms ` +
        `(${[...during].join(', ') || 'no fault'}) ${answer.text.slice(0, 300)}`)
    }
  }

  let n = 0
  const startedMs = performance.now()
  const asked = kinds.map(() => 0)
  const timer = setInterval(() => {
    kinds.forEach((kind, i) => {
      const due = (performance.now() - startedMs) / 1000 * kind.perSecond
      for (; asked[i]! < due; asked[i]!++) {
        const sentMs = performance.now()
        const request = answerTo(kind.ask(n++)).then(answer => count(kind, answer, sentMs))
        underWay.add(request)
        request.finally(() => underWay.delete(request))
      }
    })
  }, TICK_MS)
  return {
    count,
    look () {
      const seen = tally
      tally = newTally()
      return seen
    },
    wrong,
    async stop () {
      clearInterval(timer)
      await Promise.all(underWay)
    }
  }
}

/** The limit of time for `fetch`. */
export const patience = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(PATIENCE_MS) })

async function answerTo (request: Promise<Response>): Promise<Answer> {
  try {
    const reply = await request
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() }
  } catch (error) {
    const { message, cause } = error as Error
    return { status: 0, retryAfter: null, text: cause instanceof Error ? cause.message : message }
  }
}

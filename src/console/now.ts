import type { FastifyInstance } from 'fastify'
import type { Health } from '../health/readiness.js'
import { isoNow } from '../base/iso-time.js'
import { within } from '../base/within.js'
import { limitsDigest } from '../limiter/limits/policies.js'
import { limitRowsOf, type LimitRow } from '../limiter/limits/limit-rows.js'
import type { LimitsDocument } from '../limiter/limits/limits-document.js'
import type { Replica } from '../limiter/fleet/replicas.js'
import { createRecentRefusals, type RefusedClient } from '../limiter/operators/recent-refusals.js'

const PATIENCE_MS = 500
/** How many of the hundred stored changes are shown. */
const MAX_HISTORY = 20
const MAX_REFUSED = 50

/** What the console shows. Each event contains the whole state, so a page may miss events. */
interface Now {
  /** ISO 8601, by the clock of the replica. */
  at: string
  /** The name of the replica that sent this. */
  here: string
  health: Health
  /** How many replicas there are, including those without a description. */
  replicaCount: number
  /** What each replica reports about itself; only this one while Redis does not answer. */
  replicas: Replica[]
  limits: LimitRow[]
  /** 0 if nothing was changed at run time. */
  limitsVersion: number
  /** The newest first. */
  history: Array<Omit<LimitsDocument, 'limits'>>
  /** In the last ten seconds, the most refused first. */
  refused: RefusedClient[]
}

export type Observation = ReturnType<typeof createObservation>

/** Collects the current state until it is ended. */
export function createObservation (app: FastifyInstance, healthNow: () => Health) {
  const refusals = createRecentRefusals()
  const end = app.buckets.feed.watchRefusals(refusals.add)
  let known: { version: number, history: Now['history'] } = { version: 0, history: [] }

  /** The last one that was read, while Redis does not answer. */
  async function historyNow (): Promise<Now['history']> {
    const { version } = app.limits
    if (version !== known.version) {
      const documents = await soon(app.buckets.history(MAX_HISTORY))
      if (documents) known = { version, history: documents.map(({ limits, ...change }) => change) }
    }
    return known.history
  }

  async function now (): Promise<Now> {
    const [count, replicas = [], history] = await Promise.all([
      app.metrics.replicas.get(), soon(app.buckets.replicas()), historyNow()
    ])
    const { name } = app.buckets
    const here = replicas.find(replica => replica.name === name) ??
      { ...app.replica(), name, limits: limitsDigest(app.limits) }
    return {
      at: isoNow(),
      here: here.name,
      health: healthNow(),
      replicaCount: count.values[0]?.value ?? 1,
      replicas: replicas.includes(here) ? replicas : [...replicas, here],
      limits: limitRowsOf(app.limits, app.limits.base),
      limitsVersion: app.limits.version,
      history,
      refused: refusals.now().refused.slice(0, MAX_REFUSED)
    }
  }

  return { now, end }
}

/** @returns undefined if Redis does not answer soon, because a console that waits could not show the outage */
const soon = <T>(asked: Promise<T>): Promise<T | undefined> => within(PATIENCE_MS, asked.catch(() => undefined))

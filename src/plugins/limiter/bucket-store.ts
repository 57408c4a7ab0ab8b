import fp from 'fastify-plugin'
import { AccountThrottle } from '../../auth/account-throttle.js'
import type { Config } from '../../config/config.js'
import type { LiveLimits } from '../../limiter/limits/live-limits.js'
import { createRecentDecisions } from '../../limiter/fleet/recent-decisions.js'
import type { ReplicaSelf } from '../../limiter/fleet/replicas.js'
import { openStore, type ReplicaStore } from '../../limiter/store.js'
import { every } from '../../base/every.js'
import { version } from '../../base/version.js'

declare module 'fastify' {
  interface FastifyInstance {
    buckets: ReplicaStore
    /** Limits the failed logins of each account. */
    accountThrottle: AccountThrottle
    /** The limits in force, which can change at any time. They are laid over those of the configuration. */
    limits: LiveLimits
    /** What this replica reports about itself to operators, in Redis, with every heartbeat. */
    replica: () => ReplicaSelf
    /** Adds to that report. */
    addReplicaFacts: (facts: () => Partial<ReplicaSelf>) => void
  }
}

/** The buckets, their limits, and what limits failed logins by them. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const {
    candidateRefusals, decisions, denyCacheHits, fallbackActive, fallbackChanges, limitsAgree, limitsVersion, replicas,
    takeSeconds
  } = app.metrics
  const { states } = app
  if (config.redisUrl !== undefined) states.set('redis', 'decides')
  // The metric has no value until Redis has answered.
  limitsAgree.remove()
  const recent = createRecentDecisions(decisions)
  const endCounting = every(1000, recent)
  const self = {
    version,
    startedAt: new Date().toISOString(),
    onRedisFailure: config.onRedisFailure,
    clientIpv6Prefix: config.limits.clients.ipv6Prefix,
    states
  }
  const facts: Array<() => Partial<ReplicaSelf>> = [() => ({ decisions: recent() })]
  const replica = (): ReplicaSelf => Object.assign({}, self, ...facts.map(read => read()))
  const store = await openStore({ ...config, self: replica }, app.log, {
    onTake: seconds => takeSeconds.observe(seconds),
    onDenyCacheHit: () => { denyCacheHits.value++ },
    onReplicas (count, counted) {
      replicas.set(count)
      states.set('replicas', counted ? 'counted' : 'as last counted')
    },
    onAgree (agree) {
      limitsAgree.set(Number(agree))
      states.set('limits', agree ? 'agree' : 'differ')
    },
    onLimits: version => limitsVersion.set(version),
    onCandidateRefused: ({ name: policy }) => candidateRefusals.inc({ policy }),
    onFallback (change, failing) {
      const reasons = [...failing].map(([node, reason]) => node === '' ? reason : `${node}: ${reason}`)
      states.set('redis', failing.size > 0 ? 'does not decide' : 'decides', reasons.join(', ') || undefined)
      fallbackActive.set(failing.size)
      fallbackChanges.inc(change)
    }
  })
  app.decorate('buckets', store)
  app.decorate('replica', replica)
  app.decorate('addReplicaFacts', (read) => { facts.push(read) })
  app.decorate('limits', store.limits)
  app.decorate('accountThrottle', new AccountThrottle(store, store.limits))
  app.onReload(next => store.limits.rebase(next.limits))
  app.addHook('onClose', () => {
    endCounting()
    return store.close()
  })
}, { name: 'buckets', dependencies: ['metrics', 'reload'] })

import fp from 'fastify-plugin'
import { endedInMemory, endedInRedis, type Ended } from '../../auth/ended.js'
import { watchRevocations, type Revocations } from '../../auth/revocations.js'
import { secondsLeft } from '../../auth/sessions.js'
import type { Claims } from '../../auth/tokens.js'
import { accountKey } from '../../auth/username.js'
import type { Config } from '../../config/config.js'
import { answersQueries } from '../../database/state.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The tokens and sessions that were ended before they expired, on any replica. */
    ended: Ended
    revocations: Pick<Revocations, 'mark' | 'isForeign' | 'isUsable' | 'refuses'>
    /**
     * For what outlives its request: calls `end` within a second after the session of these claims has ended, or the
     * token was revoked.
     *
     * @returns a function that cancels it
     */
    endWithSession: (claims: Claims, end: () => void) => () => void
    /** Ends every connection that outlives its request, such as a WebSocket. */
    endOutliving: () => void
  }
}

/** Refuses tokens that were revoked, and ends the connections that belong to them. */
export default fp<{ config: Config }>(async (app, { config: { onDatabaseFailure, sessionHours } }) => {
  const { redis } = app.buckets
  app.decorate('ended', redis ? endedInRedis(redis) : endedInMemory())
  const outliving = new Map<() => void, Claims>()
  const revocations = await watchRevocations(app.polls, app.ended, onDatabaseFailure, app.log, {
    // After a revocation, such as a password change, each replica also forgets the failed logins that it counted
    // locally during a Redis outage.
    onRevoked: ({ username, knownClients }) => app.accountThrottle.forget(accountKey(username), knownClients),
    onRead () {
      for (const [end, claims] of outliving) if (revocations.refuses(claims) || hasEnded(claims)) end()
    },
    isReadable: () => answersQueries(app.states.database.value)
  })
  app.addHook('onClose', () => revocations.close())

  const hasEnded = ({ auth_time: startedAt }: Claims): boolean =>
    startedAt !== undefined && secondsLeft(startedAt, sessionHours) <= 0

  app.decorate('revocations', revocations)
  app.decorate('endWithSession', (claims, end) => {
    outliving.set(end, claims)
    return () => outliving.delete(end)
  })
  app.decorate('endOutliving', () => { for (const end of outliving.keys()) end() })
}, { name: 'revocations', dependencies: ['buckets', 'database'] })

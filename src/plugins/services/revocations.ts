import fp from 'fastify-plugin'
import { watchRevocations, type Revocations } from '../../auth/revocations.js'
import { secondsLeft, sessionIdOf } from '../../auth/sessions.js'
import type { Claims } from '../../auth/tokens.js'
import { accountKey } from '../../auth/username.js'
import type { Config } from '../../config/config.js'

declare module 'fastify' {
  interface FastifyInstance {
    revocations: Pick<Revocations, 'mark' | 'isForeign' | 'isUsable'> & {
      /** Whether a token is of another database, was revoked, or its session has ended, as far as memory knows. */
      isRevoked: (claims: Claims) => boolean
    }
    /**
     * For what outlives its request: calls `end` within a second after the session of these claims has ended, or the
     * token was revoked.
     *
     * @returns a function that cancels it
     */
    endWithSession: (claims: Claims, end: () => void) => () => void
    /** Ends everything that outlives its request. */
    endOutliving: () => void
  }
}

/** Which tokens are refused before their time, and what ends with them. */
export default fp<{ config: Config }>(async (app, { config: { onDatabaseFailure, sessionHours } }) => {
  const outliving = new Map<() => void, Claims>()
  const { close, isForeign, isUsable, mark, ...known } = await watchRevocations(
    app.db, app.buckets.ended, onDatabaseFailure, app.log,
    {
      // After a revocation, such as a password change, each replica also forgets the failed logins that it counted
      // locally during a Redis outage.
      onRevoked: ({ username, knownClients }) => app.accountThrottle.forget(accountKey(username), knownClients),
      onRead () {
        for (const [end, claims] of outliving) if (isRevoked(claims) || hasEnded(claims)) end()
      },
      isReachable: () => app.states.database.value === 'reachable'
    }
  )
  app.addHook('onClose', close)

  function isRevoked ({ db, sub, tv, iat, ...session }: Claims): boolean {
    return isForeign(db) || known.isRevoked(Number(sub), tv, sessionIdOf(session), iat)
  }

  const hasEnded = ({ auth_time: startedAt }: Claims): boolean =>
    startedAt !== undefined && secondsLeft(startedAt, sessionHours) <= 0

  app.decorate('revocations', { mark, isForeign, isUsable, isRevoked })
  app.decorate('endWithSession', (claims, end) => {
    outliving.set(end, claims)
    return () => outliving.delete(end)
  })
  app.decorate('endOutliving', () => { for (const end of outliving.keys()) end() })
}, { name: 'revocations', dependencies: ['database', 'account-throttle'] })

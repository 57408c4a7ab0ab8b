import fp from 'fastify-plugin'
import type { Claims } from '../../auth/tokens.js'
import type { Config } from '../../config/config.js'
import type { Sealing } from '../../base/sealing.js'
import { sealingOf } from '../../second-factor/sealing.js'

declare module 'fastify' {
  interface FastifyInstance {
    secondFactors: {
      /** Seals and opens the secrets of second factors. */
      sealing: Sealing
      /** Whether users of this role need a second factor. */
      isRequired: (role: string) => boolean
      /** Whether these are the claims of a login without the code that the role needs. */
      lacksCode: (claims: Claims) => boolean
    }
  }
}

/** The second factor of those who have one, or who need one by SECOND_FACTOR_ROLES. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const required = new Set(config.secondFactorRoles)
  const isRequired = (role: string): boolean => required.has(role)
  app.decorate('secondFactors', {
    sealing: sealingOf(config),
    isRequired,
    lacksCode: ({ role, amr }) => amr === undefined && isRequired(role)
  })
  app.onReload((next) => { app.secondFactors.sealing = sealingOf(next) })
  // A release that knows no second factor would let its users in with the password alone.
  app.addReplicaFacts(() => ({ secondFactors: true }))
}, { name: 'second-factor', dependencies: ['reload'] })

import { generatedSecret } from '../auth/generated-secret.js'
import { Sealing } from '../base/sealing.js'

/** Seals secrets of second factors at rest. @param texts those of SECOND_FACTOR_KEY */
export const factorSealing = (texts: readonly string[]): Sealing => new Sealing(texts, 'second factors')

/** With the keys of the settings. Without any there is one, which the first start makes, but not in production. */
export function sealingOf (
  { secondFactorKeys, production, dataDir }: {
    secondFactorKeys: readonly string[], production: boolean, dataDir: string
  }
): Sealing {
  if (secondFactorKeys.length > 0 || production) return factorSealing(secondFactorKeys)
  return factorSealing([generatedSecret(dataDir, 'second-factor-key')])
}

/** The context of a user's secret, so that it opens only as theirs. */
export const ofUser = (userId: number): string => `user ${userId}`

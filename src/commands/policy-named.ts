import { loadConfig } from '../config/load.js'
import { isLimited, policyBehind } from '../limiter/limits/policies.js'
import { UsageError } from './outcome.js'

/** @throws {UsageError} with a list of the existing policies */
export function policyNamed (name: string): string {
  const { limits } = loadConfig()
  if (isLimited(limits, policyBehind(name))) return name
  const known = Object.keys(limits.policies).join(', ')
  throw new UsageError(`there is no policy "${name}"; there are ${known}, as LIMITS_FILE and MODULES say here`)
}

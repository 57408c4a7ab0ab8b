import { loadConfig } from '../config/config.js'
import { isLimited, isPolicyName, sharedPolicyName } from '../limiter/limits/policies.js'
import { UsageError } from './outcome.js'

/**
 * Checks the name of a policy. The configuration is only loaded if the policy is not one of gatehouse's own.
 *
 * @throws {UsageError} with a list of the existing policies
 */
export function policyNamed (name: string): string {
  if (isPolicyName(name)) return name
  const { limits } = loadConfig()
  if (isLimited(limits, sharedPolicyName(name) ?? name)) return name
  const known = Object.keys(limits.policies).join(', ')
  throw new UsageError(`there is no policy "${name}"; there are ${known}, as LIMITS_FILE and MODULES say here`)
}

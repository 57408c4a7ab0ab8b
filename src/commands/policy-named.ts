import { loadConfig } from '../config.js'
import { isLimited, isPolicyName, sharedPolicyName } from '../limiter/policies.js'
import { UsageError } from './outcome.js'

/**
 * Only a policy that is not gatehouse's own needs the configuration to be known.
 *
 * @throws {UsageError} with the policies that there are
 */
export function policyNamed (name: string): string {
  if (isPolicyName(name)) return name
  const { limits } = loadConfig()
  if (isLimited(limits, sharedPolicyName(name) ?? name)) return name
  const known = Object.keys(limits.policies).join(', ')
  throw new UsageError(`there is no policy "${name}"; there are ${known}, as LIMITS_FILE and MODULES say here`)
}

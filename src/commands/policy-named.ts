import { hasPolicy, basePolicyName, type Limits } from '../limiter/limits/policies.js'
import { UsageError } from './output.js'

/** @throws {UsageError} with a list of the existing policies */
export function policyNamed (limits: Limits, name: string): string {
  if (hasPolicy(limits, basePolicyName(name))) return name
  throw noPolicy(limits, name)
}

export const noPolicy = ({ policies }: Limits, name: string): UsageError => new UsageError(
  `there is no policy "${name}"; there are ${Object.keys(policies).join(', ')}, as LIMITS_FILE and MODULES say here`)

/** As Azure, AWS, Google Cloud, Vault, 1Password, GitHub, Kubernetes and shells write where a secret is. */
const REFERENCE = /^(@[\w.]+\(|arn:|vault:|projects\/|\w+:\/\/|\$\{|\$\(|\{\{)/

/**
 * @param minLength 32 characters for a secret of a program, less for a password that is tried over a network
 * @returns what is wrong with a secret; undefined if it is strong enough
 */
export function secretWeaknessOf (secret: string, minLength = 32): string | undefined {
  if (secret.length < minLength) return `is shorter than ${minLength} characters`
  if (new Set(secret).size < Math.min(10, minLength / 2)) return 'repeats a few characters'
  if (/change.?me|placeholder|your.?secret|example|^<.*>$/i.test(secret)) return 'is a placeholder'
  if (REFERENCE.test(secret)) return 'is a reference that the platform has not replaced by a secret'
  return undefined
}

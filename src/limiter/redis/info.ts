/** The fields of a section of INFO, by name. */
export type Info = Readonly<Record<string, string>>

export const parseInfo = (text: string): Info =>
  Object.fromEntries([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]))

/**
 * When Redis is full, it should evict the bucket that is nearest to full. Evicting any other bucket resets its limit.
 *
 * @param memory the section of INFO
 * @returns the policy by which it would evict another one, or none; undefined if it would not, or does not say
 */
export function harmfulEviction ({ maxmemory = '0', maxmemory_policy: policy }: Info): string | undefined {
  return maxmemory === '0' || policy === 'volatile-ttl' ? undefined : policy
}

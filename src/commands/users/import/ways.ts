import type { Step } from './decision.js'
import type { Imported } from './imported.js'

/** How people get in: by a password or the file's, by its hash, by a link they have or are mailed, or not at all. */
export type Way = 'password' | 'hash' | 'link' | 'invited' | 'none'

export interface Entry {
  username: string
  way: Way
}

/** The names of those who get in by each way. */
export type Ways = Record<Way, string[]>

export function waysOf (entries: readonly Entry[]): Ways {
  const ways: Ways = { password: [], hash: [], link: [], invited: [], none: [] }
  for (const { username, way } of entries) ways[way].push(username)
  return ways
}

/**
 * @param step of an account that exists
 * @returns undefined for who may not log in
 */
export function entryOf (
  account: Imported, invite: boolean | undefined, step?: Omit<Step, 'account'>
): Entry | undefined {
  const { user, changes: { disabled, email, password } = {} } = step ?? {}
  if (disabled ? disabled.after : user?.disabled ?? account.disabled) return undefined
  const way = (): Way => {
    if ((!user || password) && account.passwordHash) return 'hash'
    if (password ? password.after : user?.passwordHash ?? account.password) return 'password'
    if (user?.hasLink) return 'link'
    return invite && (email ? email.after : user ? user.email : account.email) ? 'invited' : 'none'
  }
  return { username: user?.username ?? account.username, way: way() }
}

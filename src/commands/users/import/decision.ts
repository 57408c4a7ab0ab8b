import type { Changes, Compared } from './comparison.js'
import type { Imported } from './imported.js'
import type { Existing } from './stored.js'

/** What happens to an account that exists. */
export interface Step {
  user: Existing
  changes: Changes
  /** Its row; an account that is missing has none. */
  account?: Imported
}

/** An account that is not changed as the file says, and why. */
export interface Skipped {
  username: string
  why: string
}

/** What becomes of a row. One that is created or gets another name may need that of another account, its owner. */
export type Decision =
  | { kind: 'created', account: Imported, owner?: Existing | undefined }
  | { kind: 'changed', step: Step, owner?: Existing | undefined }
  /** It differs, and nobody said --update. */
  | { kind: 'differing' } & Skipped
  /** A stranger may have registered the account. */
  | { kind: 'self-registered', username: string }
  | { kind: 'same' }
  /** Who has left and has no account gets none. */
  | { kind: 'left', formerName: string | undefined }

export interface DecisionOptions {
  update?: boolean | undefined
  /** The roster whose other accounts end. */
  endsMissingOf?: string | undefined
}

export function decide (compared: Compared, { update, endsMissingOf }: DecisionOptions): Decision {
  const { account, user, changes, isOffLimits, owner } = compared
  if (!user && account.hasLeft) return { kind: 'left', formerName: account.formerName }
  if (!user) return { kind: 'created', account, owner }
  const { username } = user
  const { disabled } = changes
  const different = Object.keys(changes)
  if (isOffLimits) return { kind: 'self-registered', username }
  if (different.length === 0) return { kind: 'same' }
  if (update) return { kind: 'changed', step: { user, changes, account }, owner }
  // Coming back belongs to what --disable-missing does.
  const isBack = endsMissingOf && disabled?.after === false
  if (isBack) return { kind: 'changed', step: { user, changes: { disabled }, account } }
  return { kind: 'differing', username, why: different.join(', ') }
}

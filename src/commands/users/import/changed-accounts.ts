import type { AccountChange } from '../../../auth/account-changes.js'
import type { Action } from '../../audit.js'
import type { Step } from './decision.js'
import { fieldTable, events, fields, type Field } from './fields.js'
import { columnsOf } from './stored.js'

/* What a change of an account is in the table `users`, and in the audit log. */

/** Tokens name these. Who is linked to another person has other tokens. */
const inTokens: Field[] = ['username', 'role', 'userType', 'signInIssuer', 'signInSubject']

/** Revokes and mails the same as the commands for one account do. */
export function changeOf (
  { user, account, changes }: Step, passwordHash: string | null | undefined
): AccountChange {
  const { email, disabled, password, passwordTemporary } = changes
  const byRoster = account === undefined || account.source !== undefined
  const columns = columnsOf({
    ...Object.fromEntries(Object.entries(changes).map(([field, { after }]) => [field, after])),
    ...password && { passwordHash, passwordTemporary: account?.passwordTemporary ?? false },
    ...disabled && { disabledBySource: disabled.after === true && byRoster },
    ...user.selfRegistered && { selfRegistered: account?.selfRegistered ?? false }
  })
  const distrusts = password !== undefined || passwordTemporary?.after === true || disabled?.after === true
  return {
    id: user.userId,
    columns,
    distrusts,
    revokes: distrusts || inTokens.some(field => changes[field] !== undefined),
    voidsLinks: distrusts || email !== undefined,
    announces: password !== undefined
  }
}

export function eventsOf ({ user, changes, account }: Step): Action[] {
  const { username: subject, userId: subjectId } = user
  return events.flatMap((event) => {
    const changed = fields.filter(field => fieldTable[field].event === event && changes[field] !== undefined)
    if (changed.length === 0) return []
    const values = (which: 'before' | 'after'): object => Object.fromEntries(
      changed.filter(field => field !== 'password').map(field => [field, changes[field]![which]]))
    return [{
      event: event === 'user_disabled' && !changes.disabled!.after ? 'user_enabled' : event,
      subject,
      subjectId,
      ...changes.role && event === 'privilege_permissions_changed' && { role: changes.role.after },
      ...event === 'user_disabled' && account === undefined && { reason: 'missing' },
      before: values('before'),
      after: values('after')
    }]
  })
}

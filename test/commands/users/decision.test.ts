// What becomes of a row of an import, by the account that it means and the options. No database is asked.

import t from 'tap'
import type { Compared } from '#src/commands/users/import/comparison.js'
import { decide, type Decision, type DecisionOptions } from '#src/commands/users/import/decision.js'
import type { Existing } from '#src/commands/users/import/stored.js'

const account = { line: 2, username: 'asha' }
const user = { userId: 7, username: 'asha.verma' } as Existing
const owner = { userId: 8, username: 'asha' } as Existing
const role = { before: 'USER', after: 'TEACHER' }
const username = { before: 'asha.verma', after: 'asha' }
const back = { before: true, after: false }
const ended = { before: false, after: true }
const nightly = { endsMissingOf: 'sis' }

const table: Array<[what: string, row: Partial<Compared>, options: DecisionOptions, decision: Partial<Decision>]> = [
  ['nobody has the name', {}, {}, { kind: 'created', account }],
  ['nobody has the id, but somebody the name', { owner }, {}, { kind: 'created', account, owner }],
  ['who has left has no account', { account: { ...account, hasLeft: true } }, { update: true }, { kind: 'left' }],
  ['who has left had a name that another row has, too', {
    account: { ...account, username: '', hasLeft: true, formerName: 'asha' }
  }, {}, { kind: 'left', formerName: 'asha' }],
  ['the account is as the row says', { user }, { update: true, ...nightly }, { kind: 'same' }],
  ['another role, without --update', { user, changes: { role } }, {},
    { kind: 'differing', username: 'asha.verma', why: 'role' }],
  ['another role with --update', { user, changes: { role } }, { update: true },
    { kind: 'changed', step: { user, account, changes: { role } } }],
  ['another name with --update, which somebody else has', { user, owner, changes: { username } }, { update: true },
    { kind: 'changed', step: { user, account, changes: { username } }, owner }],
  ['somebody is back, but no list of a roster is complete', { user, changes: { role, disabled: back } }, {},
    { kind: 'differing', why: 'role, disabled' }],
  ['somebody is back with --disable-missing, which changes nothing else',
    { user, changes: { role, disabled: back } }, nightly,
    { kind: 'changed', step: { user, account, changes: { disabled: back } } }],
  ['somebody has left, without --update', { user, changes: { disabled: ended } }, nightly,
    { kind: 'differing', why: 'disabled' }],
  ['a stranger may have registered the name', { user, isOffLimits: true }, { update: true, ...nightly },
    { kind: 'self-registered', username: 'asha.verma' }]
]

for (const [what, row, options, decision] of table) {
  t.test(`${what}: ${decision.kind}`, async (t) => {
    const decided = decide({ account, changes: {}, isOffLimits: false, endedByHand: false, ...row }, options)

    t.match(decided, decision)
    if (decided.kind === 'changed') t.strictSame(decided.step, (decision as typeof decided).step)
  })
}

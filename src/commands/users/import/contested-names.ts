import type { Decision, Named, Step } from './decision.js'
import type { Imported } from './imported.js'

type Changed = Extract<Decision, { kind: 'changed' }>
type Written = Extract<Decision, { kind: 'created' | 'changed' }>

interface Settled {
  created: Imported[]
  changed: Step[]
  /** The numbers of the users who pass a name on to each other. */
  moved: Set<number>
  untouched: Named[]
}

/** A row may need the name of another account. That one may give it away within the file. Otherwise the row is left. */
export function settleNames (decisions: readonly Decision[]): Settled {
  const formerNames = new Set(decisions.map(one => one.kind === 'left' ? one.formerName : undefined))
  const perhapsTheirs = ({ step: { user, changes } }: Changed): boolean =>
    changes.source !== undefined && formerNames.has(user.username)
  const all = decisions.filter(one => one.kind === 'changed')
  const changed = all.filter(one => !perhapsTheirs(one))
  const contests = decisions.filter((one): one is Written => 'owner' in one && one.owner !== undefined)
  const byUser = new Map(changed.map(one => [one.step.user.userId, one]))
  const losers = new Set<Written>()
  const givesAway = ({ owner }: Written): boolean => {
    const given = byUser.get(owner!.userId)
    return given?.step.changes.username !== undefined && !losers.has(given)
  }
  const isOpen = (one: Written): boolean =>
    !losers.has(one) && (one.kind === 'created' || one.step.changes.username !== undefined)

  // One that is left keeps what others may wait for.
  for (let before = -1; before < losers.size;) {
    before = losers.size
    for (const one of contests) if (isOpen(one) && !givesAway(one)) losers.add(one)
  }
  const moving = contests.filter(one => one.kind === 'changed').filter(isOpen)
  return {
    created: decisions.flatMap(one => one.kind === 'created' && !losers.has(one) ? one.account : []),
    changed: changed.flatMap(one => losers.has(one) ? endOf(one.step) : one.step),
    moved: new Set(moving.flatMap(({ step, owner }) => [step.user.userId, owner!.userId])),
    untouched: [...all.filter(perhapsTheirs).map(keptOf), ...[...losers].map(refusalOf)]
  }
}

/** Whoever has left loses the access, whatever becomes of the name. */
const endOf = ({ changes: { disabled }, ...step }: Step): Step[] =>
  disabled?.after ? [{ ...step, changes: { disabled } }] : []

/** An account that no roster has yet is perhaps that of who has left, and not of who has the name now. */
const keptOf = ({ step: { user: { username }, account } }: Changed): Named =>
  ({ username, why: `it may be that of who has left, and not of ${account!.sourcedId}` })

function refusalOf (loser: Written): Named {
  const { username, sourcedId } = loser.kind === 'created' ? loser.account : loser.step.account!
  const owner = loser.owner!
  const whose = owner.source === null ? 'another account' : `${owner.sourcedId} of ${owner.source}`
  return { username, why: `${sourcedId} cannot have the name of ${whose}` }
}

import type { Decision, Skipped, Step } from './decision.js'
import type { Imported } from './imported.js'
import type { Existing } from './stored.js'

type Changed = Extract<Decision, { kind: 'changed' }>
type Contest = Extract<Decision, { owner?: unknown }> & { owner: Existing }

interface Settled {
  created: Imported[]
  changed: Step[]
  /** The numbers of the users who pass a name on to each other. */
  moved: Set<number>
  untouched: Skipped[]
}

/** A row may need the name of another account. That one may give it away within the file. Otherwise the row is left. */
export function settleNames (decisions: readonly Decision[]): Settled {
  const formerNames = new Set(decisions.map(one => one.kind === 'left' ? one.formerName : undefined))
  const isOfLeaver = ({ step: { user, changes } }: Changed): boolean =>
    changes.source !== undefined && formerNames.has(user.username)
  const existing = decisions.filter(one => one.kind === 'changed')
  const changed = existing.filter(one => !isOfLeaver(one))
  const contests = decisions.filter((one): one is Contest => 'owner' in one && one.owner !== undefined)
  const losers = losersOf(contests, changed)
  const lost = new Set<Decision>(losers)
  return {
    created: decisions.flatMap(one => one.kind === 'created' && !lost.has(one) ? one.account : []),
    changed: changed.flatMap(one => lost.has(one) ? endOf(one.step) : one.step),
    moved: new Set(contests.flatMap(one =>
      one.kind === 'changed' && !lost.has(one) ? [one.step.user.userId, one.owner.userId] : [])),
    untouched: [...existing.filter(isOfLeaver).map(keptOf), ...losers.map(refusalOf)]
  }
}

/** Those who need a name that its owner keeps. An owner who loses, too, keeps what others may wait for. */
function losersOf (contests: readonly Contest[], changed: readonly Changed[]): Contest[] {
  const byUser = new Map(changed.map(one => [one.step.user.userId, one]))
  const losers = new Set<Contest>()
  const hasLost = (one: Decision): boolean => losers.has(one as Contest)
  for (let before = -1; before < losers.size;) {
    before = losers.size
    for (const one of contests) {
      const given = byUser.get(one.owner.userId)
      const isGiven = given?.step.changes.username !== undefined && !hasLost(given)
      if (!isGiven) losers.add(one)
    }
  }
  return [...losers]
}

/** Whoever has left loses the access, whatever becomes of the name. */
const endOf = ({ changes: { disabled }, ...step }: Step): Step[] =>
  disabled?.after ? [{ ...step, changes: { disabled } }] : []

/** An account that no roster has yet is perhaps that of who has left, and not of who has the name now. */
const keptOf = ({ step: { user: { username }, account } }: Changed): Skipped =>
  ({ username, why: `it may be that of who has left, and not of ${account!.sourcedId}` })

function refusalOf (loser: Contest): Skipped {
  const { username, sourcedId } = loser.kind === 'created' ? loser.account : loser.step.account!
  const whose = loser.owner.source === null ? 'another account' : `${loser.owner.sourcedId} of ${loser.owner.source}`
  return { username, why: `${sourcedId} cannot have the name of ${whose}` }
}

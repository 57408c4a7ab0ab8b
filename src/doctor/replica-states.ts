import { groupBy } from '../base/get-or-create.js'
import { note, type Finding } from '../base/finding.js'
import { stateMeanings, type States } from '../health/states.js'
import { pluralize } from '../base/text.js'
import { replicaNames, type Replica } from '../limiter/fleet/replicas.js'

/** The state of a part of the service, as replicas report it: one line for all that report the same. */
export function judgeState (part: keyof States, replicas: Replica[]): Finding[] {
  const foundOf = ({ states: { [part]: state } = {} }: Replica): string | undefined =>
    state && describeState(part, state).found
  const groups = groupReplicas(replicas, foundOf)
  return groups.map((group) => {
    const state = group[0]!.states![part]!
    const { status, found, remedy } = describeState(part, state)
    return status === 'ok'
      ? { status, found: `${pluralize(group.length, 'replica')}: ${found}` }
      : { status, found: `${replicaNames(group)}: ${found}, since ${state.since}`, ...remedy && { remedy } }
  })
}

/** What a state means, with its reason. A replica of another release may have a value that this one does not know. */
export function describeState (
  part: keyof States, { value, reason }: { value: string, reason?: string | undefined }
): Finding {
  const { found, ...meaning } = (stateMeanings[part] as Record<string, Finding>)[value] ?? note(value)
  return { ...meaning, found: reason === undefined ? found : `${found} (${reason})` }
}

/** Replicas that say the same: the largest group first, then that which started first. Silent ones are left out. */
export function groupReplicas (replicas: Replica[], said: (replica: Replica) => string | undefined): Replica[][] {
  const sorted = replicas.toSorted((a, b) => (a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1)
  return groupBy(sorted, said).sort((a, b) => b.length - a.length)
}

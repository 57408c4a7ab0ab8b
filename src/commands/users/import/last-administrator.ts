import type { PrismaClient } from '../../../../prisma/client.js'
import { ADMIN_ROLE } from '../../../auth/rules.js'
import type { Step } from './decision.js'

/**
 * Someone has to be left who can let others in. A new administrator counts from the next night on.
 *
 * @returns all administrators, if these steps would end each of them
 */
export async function lastAdministrators (db: PrismaClient, steps: readonly Step[]): Promise<Step[]> {
  const admins = await db.user.findMany({ where: { role: ADMIN_ROLE, disabledAt: null }, select: { id: true } })
  const ended = new Map(steps.filter(endsAdministrator).map(step => [step.user.userId, step]))
  const last = admins.flatMap(({ id }) => ended.get(id) ?? [])
  return last.length === admins.length ? last : []
}

const endsAdministrator = ({ changes: { disabled, role } }: Step): boolean =>
  disabled?.after === true || (role !== undefined && role.after !== ADMIN_ROLE)

/** @returns the steps without what would end one of these accounts */
export function withoutEndsOf (kept: readonly Step[], steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    const { disabled, role, ...changes } = step.changes
    return kept.includes(step) ? { ...step, changes } : step
  }).filter(({ changes }) => Object.keys(changes).length > 0)
}

import { action, note, ok, type Finding } from '../base/finding.js'
import { pluralize } from '../base/text.js'
import type { Config } from '../config/config.js'
import { factorSealing, ofUser, sealingOf } from '../second-factor/sealing.js'
import type { PrismaClient } from '../../prisma/client.js'
import type { Checks, Deployment } from './run-checks.js'

/** How many users are named. */
const MAX_NAMED = 10

/** Whether every second factor can be checked, and who has to have one and does not. */
export function secondFactorChecks ({ db, config }: Pick<Deployment, 'db' | 'config'>): Checks {
  if (!db) return {}
  return {
    'second-factor-key': () => judgeKey(db, config),
    'second-factor-roles': () => judgeRoles(db, config)
  }
}

async function judgeKey (db: PrismaClient, config: Config): Promise<Finding> {
  const factors = await db.secondFactor.findMany({
    where: { secret: { not: null } }, select: { userId: true, secret: true }
  })
  if (factors.length === 0) return ok('nobody has a second factor')
  const found = `${pluralize(factors.length, 'user')} with a second factor`
  const sealing = sealingOf(config)
  const closed = factors.filter(({ userId, secret }) => !sealing.open(secret!, ofUser(userId)))
  if (closed.length > 0) {
    return action(`of ${found}, ${closed.length} cannot log in: no key of SECOND_FACTOR_KEY opens theirs`,
      'put the key of before behind the first one, here and for the service; see "Rotating keys" in docs/runbook.md')
  }
  const [newest] = config.secondFactorKeys
  const current = newest === undefined ? sealing : factorSealing([newest])
  const older = factors.filter(({ userId, secret }) => !current.open(secret!, ofUser(userId))).length
  if (older === 0) return ok(`SECOND_FACTOR_KEY opens all: ${found}`)
  return note(`${pluralize(older, 'second factor')} of ${factors.length} are still sealed by an older key`,
    'keep it in SECOND_FACTOR_KEY: the next login seals with the first')
}

async function judgeRoles (db: PrismaClient, { secondFactorRoles }: Config): Promise<Finding[]> {
  if (secondFactorRoles.length === 0) return []
  const lacking = await db.user.findMany({
    where: { role: { in: [...secondFactorRoles] }, secondFactorSince: null, disabledAt: null },
    select: { username: true, email: true },
    orderBy: { username: 'asc' }
  })
  const withoutAddress = lacking.filter(({ email }) => email === null)
  return [
    lacking.length === 0
      ? ok(`everyone of ${secondFactorRoles.join(', ')} has a second factor`)
      : note(`${pluralize(lacking.length, 'user')} cannot log in before they set up a second factor: ${named(lacking)}`,
        'their next login mails them a link'),
    ...withoutAddress.length === 0
      ? []
      : [action(`${named(withoutAddress)} cannot get that link: no address`,
          'gatehouse users second-factor USER --link prints it')]
  ]
}

const named = (users: Array<{ username: string }>): string =>
  users.slice(0, MAX_NAMED).map(({ username }) => username).join(', ') +
  (users.length > MAX_NAMED ? ` and ${users.length - MAX_NAMED} more` : '')

import { sharersOf } from '../../auth/accounts.js'
import { knownAddressesOf } from '../../auth/login-records.js'
import { usableCostOf } from '../../auth/stored-hash.js'
import { userFields } from '../../auth/user-fields.js'
import { accountKey } from '../../auth/username.js'
import { pluralize } from '../../base/text.js'
import { standingOf, type FactorStanding } from '../../second-factor/factors.js'
import type { CommonFlags } from '../options.js'
import { print, table } from '../output.js'
import { mustFindUser } from './find-user.js'
import { withDatabase } from './with-database.js'

/** Everything that is known of one user, but no secret. */
export async function show ({ json }: CommonFlags, name: string): Promise<void> {
  await withDatabase(async (db) => {
    const user = await mustFindUser(db, name)
    const [addresses] = await knownAddressesOf(db, [accountKey(user.username)])
    const shown = {
      userId: user.id,
      ...Object.fromEntries(userFields.map(field => ['name' in field ? field.name : field.column, user[field.column]])),
      emailAlsoOf: await sharersOf(db, user),
      password: passwordText(user.passwordHash),
      knownAddresses: addresses!.known,
      secondFactor: await standingOf(db, user)
    }
    const texts = { ...shown, secondFactor: factorText(shown.secondFactor) }
    print(json, shown, () => table(['field', 'value'], Object.entries(texts).map(([key, value]) =>
      [key, value instanceof Date ? value.toISOString() : [value ?? []].flat().join(', ') || '-'])))
  })
}

function factorText (factor: FactorStanding | null): string | undefined {
  if (!factor) return undefined
  const { since, lastUsedAt, recoveryCodes, lastRefusal, lastRefusedAt, wrongCodes, barred } = factor
  return [
    `since ${since.toISOString()}`,
    `last used ${lastUsedAt?.toISOString() ?? 'never'}`,
    `${pluralize(recoveryCodes, 'recovery code')} left`,
    lastRefusal !== null && `last refused as ${lastRefusal} ${lastRefusedAt!.toISOString()}`,
    wrongCodes > 0 && `${pluralize(wrongCodes, 'wrong code')} since`,
    barred === 'stolen' && 'the password counts as stolen until there is another',
    barred === 'locked' && 'no code is accepted any more: remove it'
  ].filter(part => part !== false).join('; ')
}

function passwordText (hash: string | null): string {
  if (hash === null) return 'none'
  const cost = usableCostOf(hash)
  return cost === undefined ? 'a damaged hash: set another' : `bcrypt, cost ${cost}`
}

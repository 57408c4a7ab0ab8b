import { AlreadyTaken } from '../../auth/accounts.js'
import { linkAccount } from '../../sign-in/accounts.js'
import { isSubject } from '../../sign-in/claims.js'
import { audit } from '../audit.js'
import type { CommonFlags } from '../options.js'
import { Failure, print, UsageError } from '../output.js'
import { mustFindUser } from './find-user.js'
import { withDatabase } from './with-database.js'

/** Links an account to a person at an OpenID provider, by the claim `sub` of this person's ID tokens. */
export async function link (
  { remove, json }: CommonFlags & { remove?: boolean }, name: string, providerName?: string, subject?: string
): Promise<void> {
  if (remove ? providerName !== undefined : subject === undefined) {
    throw new UsageError('"users link" takes USER, NAME and SUB, or USER and --remove')
  }
  if (subject !== undefined && !isSubject(subject)) throw new UsageError('SUB has at most 255 letters of ASCII')
  await withDatabase(async (db, { signInProviders, ...config }) => {
    const provider = signInProviders.find(one => one.name === providerName)
    if (!remove && !provider) {
      const names = signInProviders.map(one => one.name).join(', ')
      throw new Failure(`OIDC_FILE has no provider ${providerName}${names ? `; it has ${names}` : ''}`)
    }
    const { username, id, signInIssuer: issuer, signInSubject } = await mustFindUser(db, name)
    const after = { issuer: provider?.issuer ?? null, subject: subject ?? null }
    try {
      await linkAccount(db, id, after)
    } catch (error) {
      if (!(error instanceof AlreadyTaken)) throw error
      const other = await db.user.findFirst({ where: { signInIssuer: after.issuer, signInSubject: after.subject } })
      throw new Failure(`${other?.username ?? 'another user'} is linked to this person: users link USER --remove`)
    }
    const before = { issuer, subject: signInSubject }
    audit(config, { event: 'user_updated', subject: username, subjectId: id, before, after })
    print(json, { username, ...after }, () => remove
      ? `${username} is linked to nobody now, and has to log in again.\n`
      : `${username} signs in at ${provider!.label} now, and every earlier token is refused within a second.\n`)
  })
}

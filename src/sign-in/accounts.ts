import { revokeKeepingTrust } from '../auth/account-changes.js'
import { AlreadyTaken, createAccount, isTaken, type Queries } from '../auth/accounts.js'
import { ADMIN_ROLE, DEFAULT_USER_TYPE, LOWEST_ROLE, USERNAME } from '../auth/rules.js'
import { Prisma, type PrismaClient, type User } from '../../prisma/client.js'
import { mappedRole, vouchedEmail, type IdClaims } from './claims.js'
import type { Provider } from './provider.js'

/** Whose sign-in it is, and what it changed. */
export interface SignedIn { user: User, change?: 'linked' | 'created' | 'role' }

/** Nobody may sign in with this account of the provider. The message is for the log. */
export class NoAccount extends Error {
  override readonly name = 'NoAccount'

  /** @param sub for the operator who links the account */
  constructor (why: string, { sub }: IdClaims, readonly user?: Pick<User, 'id' | 'username'>) {
    super(`${why}; the claim sub is ${sub}`)
  }
}

/**
 * The account of a person who has signed in at a provider: the one that is linked to `iss` and `sub`. Where the
 * provider vouches for the address, the first sign-in links the account that has it, or makes one.
 *
 * @throws {NoAccount}
 */
export async function accountOf (db: PrismaClient, provider: Provider, claims: IdClaims): Promise<SignedIn> {
  const linked = await findLinked(db, provider, claims)
  if (!linked) return await linkOrCreate(db, provider, claims)
  if (linked.disabledAt) throw new NoAccount('the account is disabled', claims, linked)
  const role = mappedRole(provider, claims, linked.role)
  if (role === linked.role) return { user: linked }
  // The tokens of before name the former role.
  await revokeKeepingTrust(db, current(linked), Prisma.sql`role = ${role}`)
  return { user: await mustBeLinked(db, provider, claims), change: 'role' }
}

const findLinked = async (db: PrismaClient, { issuer }: Provider, { sub }: IdClaims): Promise<User | null> =>
  await db.user.findUnique({ where: { signInIssuer_signInSubject: { signInIssuer: issuer, signInSubject: sub } } })

async function mustBeLinked (db: PrismaClient, provider: Provider, claims: IdClaims): Promise<User> {
  const user = await findLinked(db, provider, claims)
  if (user && !user.disabledAt) return user
  throw new NoAccount('the account was changed meanwhile', claims)
}

/** SQL for the row of a user, unless its tokens were revoked since it was read. */
const current = ({ id, tokenVersion }: User): Prisma.Sql => Prisma.sql`id = ${id} AND token_version = ${tokenVersion}`

/** Of two first sign-ins at once, both find the account that one of them has linked or made. */
async function linkOrCreate (db: PrismaClient, provider: Provider, claims: IdClaims): Promise<SignedIn> {
  const email = vouchedEmail(provider, claims)
  if (email === undefined) throw new NoAccount('no account is linked, and nobody vouches for the address', claims)
  const owners = await db.user.findMany({ where: { email }, take: 2 })
  const [owner] = owners
  if (!owner) return await create(db, provider, claims, email)
  const fault = faultOfOwners(owners)
  if (fault !== undefined) {
    const user = await findLinked(db, provider, claims)
    if (user && !user.disabledAt) return { user }
    throw new NoAccount(fault, claims, owner)
  }
  const role = mappedRole(provider, claims, owner.role)
  await link(db, Prisma.sql`${current(owner)} AND email = ${email} AND sign_in_issuer IS NULL`, Prisma.sql`
    sign_in_issuer = ${provider.issuer}, sign_in_subject = ${claims.sub}, role = ${role}`)
  return { user: await mustBeLinked(db, provider, claims), change: 'linked' }
}

/** Why an address does not say whose account it is. */
function faultOfOwners (owners: readonly User[]): string | undefined {
  const [{ disabledAt, selfRegistered, signInSubject, role }] = owners as [User]
  if (owners.length > 1) return 'several accounts have the address'
  if (signInSubject !== null) return 'the account with the address is linked to somebody else'
  if (disabledAt) return 'the account with the address is disabled'
  // Whoever made it need not be who has the address.
  if (selfRegistered) return 'the account with the address was made by whoever typed it'
  return role === ADMIN_ROLE ? 'the account with the address is an administrator\'s: link it by hand' : undefined
}

/**
 * Links an account to a person at a provider, or to nobody. Its tokens end, because others may have them.
 *
 * @throws {AlreadyTaken} if another account is linked to this person
 */
export async function linkAccount (
  db: Queries, userId: number, { issuer, subject }: { issuer: string | null, subject: string | null }
): Promise<void> {
  await link(db, Prisma.sql`id = ${userId}`, Prisma.sql`sign_in_issuer = ${issuer}, sign_in_subject = ${subject}`)
}

/** @param whose and `changes` are SQL of `users` */
async function link (db: Queries, whose: Prisma.Sql, changes: Prisma.Sql): Promise<void> {
  try {
    await revokeKeepingTrust(db, whose, changes)
  } catch (error) {
    if (!isTaken(error)) throw error
    throw new AlreadyTaken('another account is linked to this person', { cause: error })
  }
}

async function create (db: PrismaClient, provider: Provider, claims: IdClaims, email: string): Promise<SignedIn> {
  if (!provider.provision) throw new NoAccount('no account is linked, and none has the address', claims)
  if (!new RegExp(USERNAME).test(email)) throw new NoAccount('the address cannot be a username', claims)
  try {
    const user = await createAccount(db, {
      username: email,
      email,
      passwordHash: null,
      userType: DEFAULT_USER_TYPE,
      role: mappedRole(provider, claims, LOWEST_ROLE),
      signInIssuer: provider.issuer,
      signInSubject: claims.sub
    })
    return { user, change: 'created' }
  } catch (error) {
    if (!(error instanceof AlreadyTaken)) throw error
    const other = await db.user.findUnique({ where: { username: email } })
    if (other && other.signInSubject !== claims.sub) {
      throw new NoAccount('an account has the address as its username, but not as its address', claims, other)
    }
    return { user: await mustBeLinked(db, provider, claims), change: 'linked' }
  }
}

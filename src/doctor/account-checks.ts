import { demoAccounts } from '../auth/demo-accounts.js'
import { fits, USABLE_HASH } from '../auth/stored-hash.js'
import { action, note, ok, type Finding } from '../base/finding.js'
import { pluralize } from '../base/text.js'
import type { Config } from '../config/config.js'
import { EMAIL } from '../mail/addresses.js'
import { MAX_LINKS } from '../mail/reset-requests.js'
import type { PrismaClient } from '../../prisma/client.js'
import type { Checks, Deployment } from './run-checks.js'

/** Who can make accounts, and which accounts cannot be used as their owners expect. */
export function accountChecks ({ db, config }: Pick<Deployment, 'db' | 'config'>): Checks {
  if (!db) return {}
  return {
    'user-creation': () => judgeUserCreation(config),
    'account-logins': () => judgeLogins(db),
    'account-addresses': () => judgeAddresses(db),
    'demo-accounts': () => judgeDemoAccounts(db, config)
  }
}

function judgeUserCreation ({ production, userCreation }: Config): Finding {
  return production && userCreation === 'open'
    ? note('USER_CREATION is open: anyone may create users of the lowest role', 'set it to admin, unless you want that')
    : ok(`USER_CREATION is ${userCreation}`)
}

/**
 * Without long repetitions, which cost PostgreSQL thirty times as much. The length of a hash is compared by itself. No
 * email of at most 64 characters exceeds them.
 */
const SHORT_HASH = USABLE_HASH.replace('{53}', '*')
const SHORT_EMAIL = EMAIL.replace('{1,64}', '+').replaceAll('{0,61}', '*')

/**
 * As src/auth/passwords.ts and src/auth/username.ts have it, at a cost that allows for very many accounts. The
 * database's locale knows letters beyond ASCII, but of ASCII only "C" is the same everywhere: in Turkish, I is not i.
 */
async function judgeLogins (db: PrismaClient): Promise<Finding | Finding[]> {
  const [unable] = await db.$queryRaw<Array<{ hashes: number, names: number, emails: number, without: number }>>`
    SELECT count(*) FILTER (WHERE password_hash !~ ${SHORT_HASH}
        OR length(replace(password_hash, '{bcrypt}', '')) <> 60)::int AS hashes,
      count(*) FILTER (WHERE username <>
        lower(lower(btrim(normalize(username, NFKC)) COLLATE "C") COLLATE "default"))::int AS names,
      count(*) FILTER (WHERE email <> lower(email COLLATE "C")
        OR ((length(email) > 64 OR email !~ ${SHORT_EMAIL}) AND email !~ ${EMAIL}))::int AS emails,
      count(*) FILTER (WHERE num_nonnulls(password_hash, email, sign_in_subject) = 0)::int AS without
    FROM users WHERE disabled_at IS NULL`
  const { hashes, names, emails, without } = unable!
  const findings = []
  if (hashes + names + emails > 0) {
    findings.push(action(`${pluralize(hashes, 'account')} with a hash that is not bcrypt's, ${names} with a name ` +
      'that is not in lower case (NFKC) or has spaces around it: they can never log in; ' +
      `${emails} with an email that is no ASCII address in lower case: resets by it send no mail`,
    'gatehouse users set-password USER; UPDATE users SET username = lower(lower(btrim(normalize(username, NFKC)) ' +
      'COLLATE "C") COLLATE "default"), email = lower(email COLLATE "C")'))
  }
  if (without > 0) {
    findings.push(note(`${pluralize(without, 'account')} without a password, an address and a sign-in: nobody can ` +
      'log in with them', 'gatehouse users set-password USER, or set-email USER ADDRESS, for a link by mail'))
  }
  return findings.length > 0 ? findings : ok('every account that is not disabled can log in')
}

interface Shared { addresses: number, user: string | null }

/**
 * Siblings often share a parent's address, so it is only a note. It names one account for each address: `users show`
 * lists the others.
 */
async function judgeAddresses (db: PrismaClient): Promise<Finding> {
  const [shared, crowded, strange] = await db.$queryRaw<[Shared, Shared, Shared]>`
    WITH shared AS (
      SELECT count(*) AS accounts, min(username) AS username, count(DISTINCT self_registered) > 1 AS strange
      FROM users WHERE email IS NOT NULL AND disabled_at IS NULL GROUP BY email HAVING count(*) > 1
    )
    SELECT 1 AS place, count(*)::int AS addresses, min(username) AS user FROM shared
    UNION ALL SELECT 2, count(*)::int, min(username) FROM shared WHERE accounts > ${MAX_LINKS}
    UNION ALL SELECT 3, count(*)::int, min(username) FROM shared WHERE strange
    ORDER BY place`
  const found = shared.addresses === 0
    ? 'no two accounts have one address'
    : `addresses of several accounts: ${shared.addresses}`
  const faults = [
    crowded.addresses > 0 && `${crowded.addresses} with more than ${MAX_LINKS}, such as that of ${crowded.user}: ` +
      `a reset by address has links for ${MAX_LINKS} of them`,
    strange.addresses > 0 &&
      `${strange.addresses} with an account that a stranger may have made, such as that of ${strange.user}`
  ].filter(fault => fault !== false)
  if (faults.length === 0) return ok(found)
  return note([found, ...faults].join('; '), 'gatehouse users show USER names the others (emailAlsoOf); ' +
    'gatehouse users set-email USER ADDRESS')
}

async function judgeDemoAccounts (db: PrismaClient, { production }: Config): Promise<Finding> {
  const users = await db.user.findMany({
    where: { username: { in: demoAccounts.map(({ username }) => username) }, disabledAt: null },
    select: { username: true, passwordHash: true }
  })
  const open = []
  for (const { username, password } of demoAccounts) {
    const hash = users.find(user => user.username === username)?.passwordHash
    if (hash && await fits(password, hash)) open.push(username)
  }
  if (open.length === 0) return ok('no account has a password of the README')
  const found = `${open.join(' and ')}: anyone knows the password, from the README`
  const remedy = open.map(username => `gatehouse users disable ${username}`).join('; ')
  return production ? action(found, remedy) : note(found, remedy)
}

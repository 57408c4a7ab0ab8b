import { isDeepStrictEqual } from 'node:util'
import { until } from '../test/fixtures/until.js'
import { PASSWORD, statusOf } from './clients.js'
import type { Fleet } from './fleet.js'
import type { Rehearsal } from './rehearsal.js'
import { commandOf, entryOf } from './runbook.js'

/** "Backup and restore", with what happened after the backup. */
const ENTRY = 'Backup and restore'
const NEW_PASSWORD = 'a later horse battery'
/** Who changed a password after it, was disabled, and was created. */
const [RESET, DISABLED, LATE] = ['pupil.15', 'pupil.16', 'late.comer']

/** A row for each right on a table, on a database, and on tables to come. */
const OWNERS_AND_RIGHTS = `
  WITH owned (name, owner, rights) AS (
    SELECT relname, relowner, COALESCE(relacl, acldefault('r', relowner)) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT datname, datdba, COALESCE(datacl, acldefault('d', datdba)) FROM pg_database
    UNION ALL SELECT defaclobjtype::text, defaclrole, defaclacl FROM pg_default_acl
  ) SELECT name, owner::regrole::text, grantee::regrole::text, privilege_type
  FROM owned, aclexplode(rights) ORDER BY 1, 2, 3, 4`

const before = { backedUpAt: '', rights: [] as unknown[], tokens: [] as string[], links: [] as string[] }

export const backup: Rehearsal[] = [
  {
    name: 'backup-restored',
    entry: ENTRY,
    needs: { what: 'pg_dump and pg_restore of PostgreSQL 18 on PATH', isThere: ({ postgres }) => postgres.hasPrograms },
    stagedBy: 'a backup, then changes, then an UPDATE without a WHERE',
    async stage (fleet) {
      fleet.smtp.on = {}
      before.rights = await fleet.sql(OWNERS_AND_RIGHTS)
      before.links = [await newLink(fleet, RESET), await newLink(fleet, 'pupil.17')]
      before.tokens = [await fleet.tokenOf({ username: RESET })]
      await fleet.shell(commandOf(entryOf(ENTRY), 'docker compose exec -T postgres pg_dump'))
      before.backedUpAt = String((await fleet.sql('SELECT now()::text AS now'))[0]!.now)
      await mustBe(200, resetPassword(fleet, before.links[0]!))
      await fleet.shell(`gatehouse users disable ${DISABLED}`)
      await fleet.shell(`echo '${PASSWORD}' | gatehouse users create ${LATE} --type STUDENT`)
      before.tokens.push(await fleet.tokenOf({ username: LATE }))
      await fleet.sql('UPDATE users SET password_hash = NULL')
    },
    lasts: async fleet => await statusOf(fleet.logIn()) !== 200,
    answers: [0, 401, 502, 503],
    shows: {
      'docker compose exec -T postgres psql -U owner gatehouse -c "SELECT': new RegExp(`${LATE}[^]*${RESET}|${RESET}`)
    },
    cure: [
      'docker compose stop lb api',
      'docker compose exec -T postgres pg_restore',
      'docker compose run --rm migrate',
      'docker compose run --rm api node dist/cli.js tokens revoke --all',
      'docker compose run --rm api node dist/cli.js users disable',
      'docker compose up --detach --wait --scale'
    ],
    values: () => ({ '2026-11-21 03:00+00': before.backedUpAt, USER: DISABLED }),
    recovers: 'within 10 s',
    after: [{ words: 'A restore brings back all that was true at the backup', act: mustBeBack }],
    mayLose: /^session$/
  }
]

/** @throws if something is back that the page does not name, or is not */
async function mustBeBack (fleet: Fleet): Promise<void> {
  if (!isDeepStrictEqual(await fleet.sql(OWNERS_AND_RIGHTS), before.rights)) throw new Error('rights are not as before')
  await mustBe(200, fleet.logIn({ username: RESET, password: PASSWORD }))
  await mustBe(401, fleet.logIn({ username: RESET, password: NEW_PASSWORD }))
  await mustBe(401, fleet.logIn({ username: DISABLED }))
  await mustBe(401, fleet.logIn({ username: LATE }))
  for (const token of before.tokens) {
    if (await fleet.me(token) !== 401) throw new Error('a token of before counts')
  }
  for (const link of before.links) await mustBe(400, resetPassword(fleet, link))
}

async function mustBe (status: number, request: Promise<Response>): Promise<void> {
  const reply = await request
  const text = await reply.text()
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status} for ${reply.url}: ${text}`)
}

/** @returns the token of a link that was mailed */
async function newLink ({ ask, smtp }: Fleet, username: string): Promise<string> {
  await mustBe(200, ask('/api/auth/forgot-password', post({ username })))
  let link: string | undefined
  await until(async () => {
    const mail = smtp.mails.findLast(({ recipients }) => recipients.includes(`${username}@school.example`))
    link = /reset-password\S*?([\w-]{43})/.exec(mail?.email.text ?? '')?.[1]
    return link !== undefined
  })
  return link!
}

const resetPassword = ({ ask }: Fleet, token: string): Promise<Response> =>
  ask('/api/auth/resetPassword', post({ token, newPassword: NEW_PASSWORD }))

function post (body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

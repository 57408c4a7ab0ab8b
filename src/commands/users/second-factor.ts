import { randomBytes } from 'node:crypto'
import type { Config } from '../../config/config.js'
import { ownOrigin } from '../../config/own-origin.js'
import { listReplicas, replicaNames } from '../../limiter/fleet/replicas.js'
import { notify } from '../../mail/account-mails.js'
import { linkTokenHash } from '../../mail/link-tokens.js'
import { beginEnrolment, enrolmentPage } from '../../second-factor/enrolment.js'
import { removeFactor } from '../../second-factor/factors.js'
import { sealingOf } from '../../second-factor/sealing.js'
import type { PrismaClient, User } from '../../../prisma/client.js'
import { audit } from '../audit.js'
import type { CommonFlags } from '../options.js'
import { Failure, print, UsageError } from '../output.js'
import { withRedis } from '../with-redis.js'
import { mustFindUser } from './find-user.js'
import { withDatabase } from './with-database.js'

const REQUEST_ID = 'gatehouse users second-factor'

interface Options extends CommonFlags { link?: boolean, remove?: boolean, why?: string }

export async function secondFactor (options: Options, name: string): Promise<void> {
  const { link, remove, why, json } = options
  if (link && remove) throw new UsageError('--link and --remove exclude each other')
  if ((why === undefined) === (remove === true)) throw new UsageError('--why TEXT belongs to --remove, which needs it')
  await withDatabase(async (db, config) => {
    const user = await mustFindUser(db, name)
    const { username } = user
    if (remove) return await removeFrom(db, config, user, why!, json)
    await mustBeUnderstood(config)
    const sealing = sealingOf(config)
    if (!sealing.works) throw new Failure('SECOND_FACTOR_KEY is not set: set it here and for the service')
    const asked = { event: 'authn_second_factor_request', subject: username, subjectId: user.id }
    if (!link) {
      if (user.email === null) throw new Failure(`${username} has no address: print the link with --link`)
      if (!await notify(db, 'second_factor', user.id, REQUEST_ID)) {
        throw new Failure(`${username} is disabled, or has had such mails lately; --link prints a link`)
      }
      audit(config, asked)
      print(json, { username, mailed: true }, () => `A link is being mailed to ${username}.\n`)
      return
    }
    const token = randomBytes(32).toString('base64url')
    await beginEnrolment(db, sealing, user, linkTokenHash(token)!, null)
    audit(config, { ...asked, printed: true })
    const { href } = enrolmentPage(ownOrigin(config), token)
    print(json, { username, link: href }, () => `${href}\nIt works once, for an hour. Give it to ${username} alone.\n`)
  })
}

async function removeFrom (db: PrismaClient, config: Config, user: User, why: string, json: boolean): Promise<void> {
  const { username, id, secondFactorSince: since } = user
  if (!await removeFactor(db, id, REQUEST_ID)) throw new Failure(`${username} has no second factor`)
  audit(config, { event: 'authn_second_factor_removed', subject: username, subjectId: id, before: { since }, why })
  print(json, { username }, () => `${username} logs in with the password alone now, and has to log in again.\n`)
}

/** An earlier release would let its users in with the password alone. */
async function mustBeUnderstood (config: Config): Promise<void> {
  if (config.redisUrl === undefined) return
  await withRedis(config, async (redis) => {
    const earlier = (await listReplicas(redis)).filter(({ secondFactors }) => !secondFactors)
    if (earlier.length === 0) return
    throw new Failure(`these replicas know no second factors: ${replicaNames(earlier)}. Finish the release first`)
  })
}

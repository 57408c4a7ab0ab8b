import { normalizeUsername } from '../../auth/username.js'
import type { PrismaClient, User } from '../../../prisma/client.js'
import { noUser } from '../output.js'

/**
 * @param name as an operator types it
 * @throws {NotFound}
 */
export async function mustFindUser (db: Pick<PrismaClient, 'user'>, name: string): Promise<User> {
  const username = normalizeUsername(name)
  const user = await db.user.findUnique({ where: { username } })
  if (!user) throw noUser(username)
  return user
}

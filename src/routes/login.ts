import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { HashQueueFull } from '../auth/passwords.js'
import { normalizeUsername } from '../auth/username.js'
import { serviceUnavailable, unauthorized } from '../errors.js'
import { basicData, BasicData, found, success } from './user-data.js'

// PostgreSQL cannot store NUL, and half of a surrogate pair is no character: neither can be in a name or a password.
const text = { pattern: '^[^\\u0000\\ud800-\\udfff]*$' }

const Credentials = Type.Object({
  username: Type.String({ ...text, minLength: 1, maxLength: 255 }),
  password: Type.String({ ...text, minLength: 1 })
}, { additionalProperties: false })

/** User lookup → password → token. */
const login: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/api/auth/login', {
    config: { limit: 'login' },
    schema: {
      body: Credentials,
      response: { 200: success(Type.Object({ ...BasicData.properties, token: Type.String() })) }
    }
  }, async (request) => {
    const { username, password } = request.body
    const user = await found(app.db.user.findUnique({ where: { username: normalizeUsername(username) } }))

    // The password is compared before anything is said of the account, so that every failure takes the same time.
    const matches = await app.passwords.verify(password, user?.passwordHash).catch(overloaded)
    if (!user || !matches || user.disabledAt) throw unauthorized('Invalid username or password')

    if (app.passwords.outdated(user.passwordHash!)) await rehash(user.id, user.passwordHash!, password)
    return { success: true as const, status: 200 as const, data: { ...basicData(user), token: app.issueToken(user) } }
  })

  /** A login is not refused because its hash could not be renewed; the next one will try again. */
  async function rehash (id: number, outdatedHash: string, password: string): Promise<void> {
    try {
      const passwordHash = await app.passwords.hash(password)
      // Only over the hash that was verified: a password that was changed meanwhile stays changed.
      await app.db.user.updateMany({ where: { id, passwordHash: outdatedHash }, data: { passwordHash } })
    } catch (error) {
      app.log.warn({ err: error, userId: id }, 'password hash not renewed')
    }
  }
}

function overloaded (error: unknown): never {
  throw error instanceof HashQueueFull ? serviceUnavailable(2, error) : error
}

export default login

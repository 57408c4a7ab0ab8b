import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import { createAccount } from '../auth/accounts.js'
import { passwordFault } from '../auth/password-policy.js'
import { ADMIN_ROLE, CODE, CODE_RULE, DEFAULT_USER_TYPE, LOWEST_ROLE, USERNAME, USERNAME_RULE } from '../auth/rules.js'
import { normalizeEmail, normalizeUsername } from '../auth/username.js'
import type { Config } from '../config/config.js'
import { forbidden, invalidBody, unauthorized } from '../base/errors.js'
import { bothPaths } from './paths.js'
import { created, success } from './success.js'
import { basicData, BasicData, Email, NullableText } from './user-data.js'

const Code = Type.String({ pattern: CODE, description: CODE_RULE })

/** Fields that only an administrator may set. */
const adminFields = ['userType', 'role', 'adpStatus', 'book_chapter_approver_designation'] as const

const NewUser = Type.Object({
  username: Type.String({ pattern: USERNAME, description: USERNAME_RULE }),
  password: Type.String(),
  email: Email,
  userType: Type.Optional(Code),
  role: Type.Optional(Code),
  adpStatus: Type.Optional(NullableText),
  book_chapter_approver_designation: Type.Optional(NullableText)
}, { additionalProperties: false })

/** Anyone may create a user with the lowest role, unless USER_CREATION allows only administrators. */
const userCreation: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const adminsOnly = config.userCreation === 'admin'

  const authenticateIfNeeded: onRequestHookHandler = (request, reply, done) => {
    if (!adminsOnly && request.headers.authorization === undefined) return done()
    app.authenticate(request, reply, done)
  }

  for (const url of bothPaths('/auth/UserCreation')) {
    app.post(url, {
      config: { limit: 'user-creation', hashes: true },
      onRequest: [authenticateIfNeeded, ...adminsOnly ? [mustBeAdmin] : []],
      schema: { body: NewUser, response: { 201: success(BasicData, 201) } }
    }, async (request, reply) => {
      const { username, password, email, ...more } = request.body
      if (!adminsOnly && adminFields.some(field => more[field] !== undefined)) await mustBeAdmin(request)
      const fault = passwordFault(password, username)
      if (fault) throw invalidBody({ field: 'password', message: fault })

      const passwordHash = await app.passwords.hash(password)
      const user = await createAccount(app.db, {
        username: normalizeUsername(username),
        email: normalizeEmail(email),
        passwordHash,
        userType: more.userType ?? DEFAULT_USER_TYPE,
        role: more.role ?? LOWEST_ROLE,
        adpStatus: more.adpStatus ?? null,
        bookChapterApproverDesignation: more.book_chapter_approver_designation ?? null
      })

      request.record = {
        ...request.record,
        event: 'user_created',
        ...request.user && { userId: Number(request.user.sub) },
        subject: user.username
      }
      reply.code(201)
      return created(basicData(user))
    })
  }

  /** Checks the current role in the database, and not the one in the token. */
  async function mustBeAdmin (request: FastifyRequest): Promise<void> {
    // There is no token here. An invalid one was already refused.
    if (!request.user) throw unauthorized('An administrator\'s token is required. Please log in.')
    const { id, username, role, disabledAt } = await app.loggedUser(request)
    if (role === ADMIN_ROLE && !disabledAt) return
    throw forbidden('Only an administrator may do this.', { event: 'authz_fail', actor: username, userId: id })
  }
}

export default userCreation

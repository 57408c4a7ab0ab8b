import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import { createAccount } from '../auth/accounts.js'
import { passwordFault } from '../auth/password-policy.js'
import {
  ADMIN_ROLE, DEFAULT_USER_TYPE, LOWEST_ROLE, ROLE_OR_TYPE, ROLE_OR_TYPE_RULE, USERNAME, USERNAME_RULE
} from '../auth/rules.js'
import { actorOf } from '../auth/tokens.js'
import { BasicData, basicData, exampleUser } from '../auth/user-fields.js'
import { normalizeEmail, normalizeUsername } from '../auth/username.js'
import type { Config } from '../config/config.js'
import type { RequestRecord } from '../base/request-record.js'
import { conflict, forbidden, invalidBody, invalidToken, unauthorized } from '../base/errors.js'
import type { Operation } from '../openapi/operations.js'
import { endpoints } from '../openapi/endpoints.js'
import { created, success } from './success.js'
import { Email, NullableText } from './text-schemas.js'

const RoleOrType = Type.String({ pattern: ROLE_OR_TYPE, description: ROLE_OR_TYPE_RULE })

/** Fields that only an administrator may set. */
const adminFields = ['userType', 'role', 'adpStatus', 'book_chapter_approver_designation'] as const

const NewUser = Type.Object({
  username: Type.String({ pattern: USERNAME, description: USERNAME_RULE }),
  password: Type.String(),
  email: Email,
  userType: Type.Optional(RoleOrType),
  role: Type.Optional(RoleOrType),
  adpStatus: Type.Optional(NullableText),
  book_chapter_approver_designation: Type.Optional(NullableText)
}, { additionalProperties: false })

const NO_TOKEN = 'An administrator\'s token is required. Please log in.'
const NO_ADMIN = 'Only an administrator may do this.'

const operation: Operation = {
  operationId: 'createUser',
  summary: 'Create a user',
  description: 'Anyone may, unless `USER_CREATION` is `admin`. ' +
    'Only an administrator may set a user\'s type, role and the fields below. ' +
    'Then the email may be that of other users.',
  tag: 'Accounts',
  token: 'optional',
  requests: {
    user: { username: 'asha', password: 'correct horse battery', email: 'asha@school.example' },
    byAdministrator: {
      username: 'ravi',
      password: 'correct horse battery',
      email: 'ravi@school.example',
      userType: 'EMPLOYEE',
      role: 'TEACHER',
      adpStatus: null
    }
  },
  success: { description: 'The new user.', example: created(exampleUser) },
  refusals: {
    400: { password: invalidBody({ field: 'password', message: 'must have at least 8 characters' }) },
    401: { token: invalidToken(), noToken: unauthorized(NO_TOKEN) },
    403: { role: forbidden(NO_ADMIN) },
    409: { taken: conflict('The username or the email is already in use.') }
  }
}

/** Anyone may create a user with the lowest role, unless USER_CREATION allows only administrators. */
const userCreation: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const adminsOnly = config.userCreation === 'admin'

  const authenticateIfNeeded: onRequestHookHandler = (request, reply, done) => {
    if (!adminsOnly && request.headers.authorization === undefined) return done()
    app.authenticate(request, reply, done)
  }

  for (const url of endpoints.userCreation.urls) {
    app.post(url, {
      config: { policy: endpoints.userCreation.policy, hashes: true, operation },
      onRequest: [authenticateIfNeeded, ...adminsOnly ? [mustBeAdmin] : []],
      schema: { body: NewUser, response: { 201: success(BasicData, 201) } }
    }, async (request, reply) => {
      const { username, password, email, ...more } = request.body
      const byAdmin = adminsOnly || adminFields.some(field => more[field] !== undefined)
      if (byAdmin && !adminsOnly) await mustBeAdmin(request)
      const fault = passwordFault(password, username)
      if (fault) throw invalidBody({ field: 'password', message: fault })

      const passwordHash = await app.passwords.hash(password)
      const user = await createAccount(app.db, {
        username: normalizeUsername(username),
        email: normalizeEmail(email),
        passwordHash,
        selfRegistered: !byAdmin,
        userType: more.userType ?? DEFAULT_USER_TYPE,
        role: more.role ?? LOWEST_ROLE,
        adpStatus: more.adpStatus ?? null,
        bookChapterApproverDesignation: more.book_chapter_approver_designation ?? null
      })

      const record: RequestRecord = {
        event: 'user_created',
        ...request.user && actorOf(request.user),
        subject: user.username,
        subjectId: user.id,
        // What a stranger claims as an address is not logged.
        after: { role: user.role, userType: user.userType, ...byAdmin && { email: user.email } }
      }
      Object.assign(request.record, record)
      reply.code(201)
      return created(basicData(user))
    })
  }

  /** Checks the current role in the database, and not the one in the token. */
  async function mustBeAdmin (request: FastifyRequest): Promise<void> {
    // There is no token here. An invalid one was already refused.
    if (!request.user) throw unauthorized(NO_TOKEN)
    const { id, username, role, disabledAt } = await app.loggedUser(request)
    if (role === ADMIN_ROLE && !disabledAt) return
    throw forbidden(NO_ADMIN, { event: 'authz_fail', actor: username, userId: id })
  }
}

export default userCreation

import { Type } from 'typebox'
import { RESET_TOKEN_MINUTES } from '../auth/reset-tokens.js'
import { conflict, forbidden, invalidBody, invalidToken, tooManyRequests, unauthorized } from '../base/errors.js'
import type { Refusals } from './errors.js'

const member = Type.Optional(Type.String())
const Key = Type.Object({
  kid: Type.String(),
  kty: Type.String(),
  alg: Type.String(),
  use: Type.String(),
  crv: member,
  x: member,
  y: member,
  n: member,
  e: member
}, { description: 'A JWK (RFC 7517).' })
const KeySet = Type.Object({ keys: Type.Array(Key) })

/** What the schemas of an operation do not say. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tag: 'Login' | 'Accounts' | 'Keys'
  /** Whether it takes a token. */
  token?: 'required' | 'optional'
  /** Bodies of requests, by name. */
  requests?: Record<string, object>
  success: Success
  /** Refusals in addition to those of every operation. */
  refusals?: Refusals
}

interface Success {
  description: string
  example: unknown
  /** The answer of an operation whose route has no schema for it. */
  content?: { type: string, schema: object }
  /** Set if a client that names the newest version gets 304. */
  cached?: true
}

const user = {
  userName: 'asha',
  userType: 'STUDENT',
  userId: 7,
  role: 'USER',
  adpStatus: null,
  book_chapter_approver_designation: null
}
const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl'

const badField = (field: string, message: string) => invalidBody({ field, message })

/** By method and path. Operations that are also served under `/api/auth` are listed only once. */
export const operations: Readonly<Record<string, Operation>> = {
  'POST /api/auth/login': {
    operationId: 'login',
    summary: 'Log in',
    description: 'Failed logins also take from the buckets `account` and `account-address` of the username.',
    tag: 'Login',
    requests: { login: { username: 'asha', password: 'correct horse battery' } },
    success: { description: 'The user, and a token of one hour.', example: success(200, { ...user, token }) },
    refusals: {
      401: { wrong: unauthorized('Invalid username or password') },
      429: { account: tooManyRequests({ capacity: 10, waitMs: 3_600_000 }, {}) }
    }
  },
  'GET /api/auth/me': {
    operationId: 'getMe',
    summary: 'Show the user of the token',
    tag: 'Login',
    token: 'required',
    success: { description: 'The user, as they are now.', example: success(200, user) },
    refusals: { 401: { token: invalidToken() } }
  },
  'POST /auth/UserCreation': {
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'Anyone may, unless `USER_CREATION` is `admin`. ' +
      'Only an administrator may set a user\'s type, role and the fields below.',
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
    success: { description: 'The new user.', example: success(201, user) },
    refusals: {
      400: { password: badField('password', 'must have at least 8 characters') },
      401: { token: invalidToken(), noToken: unauthorized('An administrator\'s token is required. Please log in.') },
      403: { role: forbidden('Only an administrator may do this.') },
      409: { taken: conflict('The username or the email is already in use.') }
    }
  },
  'POST /auth/forgot-password': {
    operationId: 'forgotPassword',
    summary: 'Ask for a reset mail',
    description: 'Either `username` or `email`. The answer is the same for every account, whether it exists or not.',
    tag: 'Accounts',
    requests: { username: { username: 'asha' }, email: { email: 'asha@school.example' } },
    success: {
      description: 'The same for every account.',
      example: success(200, { message: 'If an account matches, password reset instructions have been sent.' })
    },
    refusals: { 400: { both: badField('body', 'must have either username or email, and not both') } }
  },
  'POST /auth/resetPassword': {
    operationId: 'resetPassword',
    summary: 'Set a new password',
    description: 'The token is the one of the newest reset mail. All tokens of the user are revoked.',
    tag: 'Accounts',
    requests: { reset: { token: 'Zx3vR0d1mXqf9hTt2cLw8sYb5nKj7gAe4uPi6oVs1Qk', newPassword: 'correct horse battery' } },
    success: {
      description: 'The password is the new one.',
      example: success(200, { message: 'Password has been reset. Please log in.' })
    },
    refusals: {
      400: {
        token: badField(
          'token',
          `must be the one of the newest reset mail, not used yet and not older than ${RESET_TOKEN_MINUTES} minutes`
        ),
        password: badField('newPassword', 'must have at least 8 characters')
      }
    }
  },
  'GET /reset-password': {
    operationId: 'showResetPage',
    summary: 'The page that a reset mail links to',
    tag: 'Accounts',
    success: {
      description: 'A page that sets a new password.',
      content: { type: 'text/html; charset=utf-8', schema: Type.String() },
      example: '<!doctype html>\n<html lang="en">…</html>\n'
    }
  },
  'GET /.well-known/jwks.json': {
    operationId: 'getKeys',
    summary: 'The public keys that verify tokens',
    description: 'Empty if secrets sign the tokens. ' +
      'Pages of any origin may read it, and caches keep it for five minutes.',
    tag: 'Keys',
    success: {
      description: 'A JWK set.',
      cached: true,
      content: { type: 'application/json', schema: KeySet },
      example: {
        keys: [{
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: '2026-11',
          alg: 'EdDSA',
          use: 'sig'
        }]
      }
    }
  }
}

function success (status: number, data: object): object {
  return { success: true, status, data }
}

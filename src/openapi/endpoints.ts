import type { PolicyName } from '../limiter/limits/policies.js'

/** Where an operation is, and the policy that limits it, unless it is the default one. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE'
  /** All of them have the same handler and take from the same buckets. */
  urls: readonly string[]
  policy?: Exclude<PolicyName, 'account' | 'account-address'>
  /** What has to be on: that logins begin sessions (SESSION_HOURS), or DOCS. */
  needs?: 'sessions' | 'docs'
}

/** The operations under `/auth` are also served under `/api/auth`. */
const both = (path: `/auth/${string}`): string[] => [path, `/api${path}`]

/** Every operation. The service and a simulation know from here which requests are limited by which policy. */
export const endpoints = {
  login: { method: 'POST', urls: ['/api/auth/login'], policy: 'login' },
  changePassword: { method: 'POST', urls: both('/auth/changePassword'), policy: 'login' },
  refresh: { method: 'POST', urls: ['/api/auth/refresh'], policy: 'session', needs: 'sessions' },
  logout: { method: 'POST', urls: ['/api/auth/logout'] },
  sessions: { method: 'GET', urls: ['/api/auth/sessions'], policy: 'session', needs: 'sessions' },
  session: { method: 'DELETE', urls: ['/api/auth/sessions/:id'], needs: 'sessions' },
  me: { method: 'GET', urls: ['/api/auth/me'] },
  userCreation: { method: 'POST', urls: both('/auth/UserCreation'), policy: 'user-creation' },
  forgotPassword: { method: 'POST', urls: both('/auth/forgot-password'), policy: 'forgot-password' },
  resetPassword: { method: 'POST', urls: both('/auth/resetPassword'), policy: 'reset-password' },
  secondFactor: { method: 'POST', urls: ['/api/auth/second-factor'], policy: 'forgot-password' },
  secondFactorPage: { method: 'GET', urls: ['/second-factor'] },
  secondFactorForm: { method: 'POST', urls: ['/second-factor'], policy: 'login' },
  changePage: { method: 'GET', urls: ['/change-password'] },
  changePageForm: { method: 'POST', urls: ['/change-password'], policy: 'login' },
  changePageFound: { method: 'GET', urls: ['/.well-known/change-password'] },
  signIn: { method: 'GET', urls: ['/api/auth/oidc/:provider'], policy: 'sign-in' },
  signInCallback: { method: 'GET', urls: ['/api/auth/oidc/:provider/callback'], policy: 'sign-in' },
  signInToken: { method: 'POST', urls: ['/api/auth/oidc/token'], policy: 'sign-in' },
  resetPage: { method: 'GET', urls: ['/reset-password'] },
  jwks: { method: 'GET', urls: ['/.well-known/jwks.json'], policy: 'public' },
  // One page loads several files, so they have the policy of public resources.
  docs: { method: 'GET', urls: ['/docs', '/docs/*'], policy: 'public', needs: 'docs' }
} as const satisfies Record<string, Endpoint>

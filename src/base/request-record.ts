/** What happened, with the names of OWASP's logging vocabulary where it has one. */
export type AuditEvent =
  | 'authn_login_success' | 'authn_login_fail' | 'authn_login_fail_max'
  | 'authn_password_reset_request' | 'authn_password_change' | 'authn_password_change_fail'
  | 'authn_password_temporary' | 'authn_second_factor_required' | 'authn_second_factor_request'
  | 'authn_second_factor_set' | 'authn_sign_in_fail' | 'session_expired'
  | 'authn_token_reuse' | 'authz_fail' | 'user_created' | 'user_updated' | 'excess_rate_limit_exceeded'

/** An action on the ops listener. */
export interface OperatorEvent {
  event: 'operator_login_success' | 'operator_login_fail' | 'bucket_reset'
  /** The address at the other end of the connection, as in the keys of buckets. */
  client: string | undefined
  reqId: string
  /** The bucket that was changed. */
  policy?: string
  subject?: string
}

/** What the log line of a request will say. The limiter and the routes fill it in, and a refusal adds its own part. */
export interface RequestRecord {
  /** The policy that limited the request; undefined if it ended before the limiter. */
  policy?: string
  /** Whether the limiter admitted the request. If not, it has cost no token. */
  admitted?: boolean
  /** How long the client has to wait, if the request was over a limit. */
  waitMs?: number
  /** The trace that it belongs to, if there is tracing. */
  traceId?: string
  /** Why the request was refused, in a stable word. */
  code?: string
  /** The internal cause of a refusal. It is logged and never sent to the client. */
  cause?: string | undefined
  /** The origin of a page that CORS refused, in visible ASCII. */
  origin?: string
  /** The headers that CORS refused, in the same form. */
  header?: string
  /** Set if the line records an event. */
  event?: AuditEvent
  /**
   * Who did it: an existing username. For a refusal of the account throttle whose username does not exist, the name of
   * its `account` bucket. It is never any other client-supplied text.
   */
  actor?: string
  /** The actor's id, if known. */
  userId?: number
  /** The OpenID provider, by its name in OIDC_FILE. */
  provider?: string
  /** What was wrong with the code of a second factor, such as `late`. */
  secondFactor?: string
  /** The affected user, if it is not the actor, and that user's id. */
  subject?: string
  subjectId?: number
  /** What was set for the affected user. */
  after?: { role: string, userType: string, email?: string | null }
}

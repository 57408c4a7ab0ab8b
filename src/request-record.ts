/** What happened, named as in OWASP's logging vocabulary, where that has a name for it. */
export type AuditEvent =
  | 'authn_login_success' | 'authn_login_fail' | 'authn_login_fail_max'
  | 'authn_password_reset_request' | 'authn_password_change' | 'authn_password_change_fail'
  | 'authn_token_reuse' | 'authz_fail' | 'user_created' | 'excess_rate_limit_exceeded'

/** What is done on the ops listener. */
export interface OperatorEvent {
  event: 'operator_login_success' | 'operator_login_fail' | 'bucket_reset'
  /** The address at the other end of the connection, as in the keys of buckets. */
  client: string | undefined
  reqId: string
  /** The bucket that it was done to. */
  policy?: string
  subject?: string
}

/**
 * What becomes known of a request on its way, for its line in the log. The limiter and the routes fill it in, and a
 * refusal adds its own part.
 */
export interface RequestRecord {
  /** The policy that the request was held to; undefined for one that ended before the limiter. */
  policy?: string
  /** The limiter let the request pass. What it did not let pass has cost no token. */
  admitted?: boolean
  /** How long the client has to wait, if the request was over a limit. */
  waitMs?: number
  /** The trace that it is a part of, if there is tracing. */
  traceId?: string
  /** Why the request was refused, in a stable word. */
  code?: string
  /** What inside the service a refusal comes from: for the log, never for the client. */
  cause?: string | undefined
  /** Makes the line the record of an event. */
  event?: AuditEvent
  /** Who did it: a username that exists, or the name of its `account` bucket; nothing else that a client wrote. */
  actor?: string
  /** The actor's id, if known. */
  userId?: number
  /** The user that it was done to, if that is another. */
  subject?: string
}

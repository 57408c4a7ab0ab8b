import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { createUsageLog, endSession, listSessions, secondsLeft, sessionIdOf } from '../auth/sessions.js'
import { actorOf } from '../auth/tokens.js'
import { basicData } from '../auth/user-fields.js'
import { invalidToken, notFound } from '../base/errors.js'
import type { Config } from '../config/config.js'
import type { Operation } from '../openapi/operations.js'
import { exampleLogin, UserWithToken } from './begin-login.js'
import { loggedOut } from './logout.js'
import { endpoints } from '../openapi/endpoints.js'
import { succeeded, success } from './success.js'

const ListedSession = Type.Object({
  id: Type.String(),
  current: Type.Boolean({ description: 'Whether the token of this request belongs to it.' }),
  startedAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.String({ format: 'date-time', description: 'When it last got a token, to the minute.' }),
  address: Type.String({ description: 'Where its login came from: an IPv4 address or an IPv6 network.' }),
  userAgent: Type.String({ description: 'What the browser of its login called itself, in ASCII.' })
})

const refusals: Operation['refusals'] = { 401: { token: invalidToken() } }
const noSuchSession = () => notFound('There is no such session.')

const refreshOperation: Operation = {
  operationId: 'refresh',
  summary: 'Get another token',
  description: 'Any valid token of a session that has not ended gets another one. The user is read again. Earlier ' +
    'tokens stay valid until they expire.',
  tag: 'Sessions',
  token: 'required',
  success: {
    description: 'The user, and a token of one hour, or until the end of the session.', example: exampleLogin
  },
  refusals
}

const listOperation: Operation = {
  operationId: 'listSessions',
  summary: 'List the sessions of the user',
  tag: 'Sessions',
  token: 'required',
  success: {
    description: 'The sessions that have not ended, the newest first.',
    example: succeeded([{
      id: 'b54bb9a2-6c0c-4b2e-8ac5-0c8f6f3a3d5e',
      current: true,
      startedAt: '2026-11-22T08:00:00.000Z',
      lastUsedAt: '2026-11-22T09:12:00.000Z',
      address: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    }])
  },
  refusals
}

const endOperation: Operation = {
  operationId: 'endSession',
  summary: 'End a session of the user',
  description: 'Its tokens are refused within a second.',
  tag: 'Sessions',
  token: 'required',
  success: { description: 'The session has ended.', example: loggedOut },
  refusals: { ...refusals, 404: { session: noSuchSession() } }
}

const sessions: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config: { sessionHours } }) => {
  const noteUse = createUsageLog(app.db)
  const { sessions: counter } = app.metrics
  const onRequest = app.authenticate

  app.post(endpoints.refresh.urls[0], {
    config: { policy: endpoints.refresh.policy, operation: refreshOperation },
    onRequest,
    schema: { response: { 200: success(UserWithToken) } }
  }, async (request) => {
    const { sid, tv, auth_time: startedAt, amr } = request.user
    if (sid === undefined || startedAt === undefined) throw invalidToken({ cause: 'the token is of no session' })
    // `authenticate` has refused a session that was ended, and its next token is of the same session.
    if (secondsLeft(startedAt, sessionHours) <= 0) throw invalidToken({ cause: 'the session has ended' })
    const user = await app.loggedUser(request)
    if (user.disabledAt || user.tokenVersion !== tv) {
      throw invalidToken({ cause: 'the account is disabled, or its tokens were revoked' })
    }
    noteUse(sid)
    counter.inc({ event: 'refreshed' })
    return succeeded({ ...basicData(user), token: app.issueToken(user, { id: sid, startedAt }, amr) })
  })

  app.get(endpoints.sessions.urls[0], {
    config: { policy: endpoints.sessions.policy, operation: listOperation },
    onRequest,
    schema: { response: { 200: success(Type.Array(ListedSession)) } }
  }, async ({ user }) => {
    const found = await listSessions(app.db, user, sessionHours)
    return succeeded(found.map(({ id, startedAt, lastUsedAt, client: address, userAgent }) => ({
      id,
      current: id === sessionIdOf(user),
      startedAt: startedAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      address,
      userAgent
    })))
  })

  app.delete(endpoints.session.urls[0], {
    config: { operation: endOperation },
    onRequest,
    schema: { response: { 200: success(Type.Object({ message: Type.String() })) } }
  }, async (request) => {
    const { id } = request.params as { id: string }
    if (!await endSession(app.db, request.user, id, sessionHours)) throw noSuchSession()
    Object.assign(request.record, { event: 'session_expired', ...actorOf(request.user) })
    counter.inc({ event: 'deleted' })
    return loggedOut
  })
}

export default sessions

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorClass } from '../base/errors.js'
import { inOneLine } from '../base/text.js'
import { fillTemplate, type Language, type Texts, type Wording } from '../languages/languages.js'
import { endpoints } from '../openapi/endpoints.js'
import { accountOf, NoAccount } from '../sign-in/accounts.js'
import { whyNoMember } from '../sign-in/claims.js'
import { flowCookie, flowOf, isChallenge, newFlow, noFlowCookie } from '../sign-in/flow.js'
import { ProviderUnavailable, SignInDenied, SignInInvalid, type ProviderClient } from '../sign-in/provider-client.js'
import { issueTicket } from '../sign-in/tickets.js'
import { pageWith, refusalsAsPages, statusLine } from './page.js'

type Outcome = 'denied' | 'invalid' | 'no_account' | 'unavailable'

/** The expected failures, with the answer to each. */
const failures: ReadonlyArray<readonly [type: ErrorClass, status: number, outcome: Outcome, text: keyof Texts]> = [
  [SignInDenied, 400, 'denied', 'signIn.denied'],
  [SignInInvalid, 400, 'invalid', 'signIn.invalid'],
  [NoAccount, 403, 'no_account', 'signIn.noAccount'],
  [ProviderUnavailable, 503, 'unavailable', 'signIn.unavailable']
]

/** What the log says of an answer with this status. */
const CODES: Record<number, string> =
  { 400: 'BAD_REQUEST', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 503: 'SERVICE_UNAVAILABLE' }

/** Browser → provider → browser → the login page, which exchanges the ticket at routes/sign-in-token.ts. */
const signInPage: FastifyPluginAsyncTypebox<{ config: Wording }> = async (app, { config }) => {
  const { headersIn, html } = pageWith(config)
  const titled = (language: Language, content: string): string =>
    html(language, language.texts['signIn.title'], content)
  // The URL of the callback holds the provider's code.
  const headers = (language: Language) => ({ ...headersIn(language), 'referrer-policy': 'no-referrer' })
  const onSend = refusalsAsPages(headers, titled)
  const { signIns } = app.metrics

  interface ProviderRoute { Params: { provider: string }, Querystring: Record<string, unknown> }

  app.get<ProviderRoute>(endpoints.signIn.urls[0], {
    config: { policy: endpoints.signIn.policy }, onSend
  }, async (request, reply) => await answering(request, reply, async (client) => {
    const { challenge } = request.query
    if (!isChallenge(challenge)) throw new SignInInvalid('there is no challenge of S256')
    const flow = newFlow(client.provider.name, challenge)
    const url = await client.authorizationUrl(flow)
    reply.header('set-cookie', flowCookie(app.signIn.sealing, flow))
    return goOn(reply, url)
  }))

  app.get<ProviderRoute>(endpoints.signInCallback.urls[0], {
    config: { policy: endpoints.signInCallback.policy }, onSend
  }, async (request, reply) => await answering(request, reply, async (client) => {
    const { provider } = client
    const flow = flowOf(app.signIn.sealing, request.headers.cookie, provider.name, request.query.state)
    if (!flow) throw new SignInInvalid('this browser has not begun it, or too long ago')
    reply.header('set-cookie', noFlowCookie)
    const claims = await client.claimsOf(request.originalUrl.replace(/^[^?]*\?/, ''), flow)
    const strange = whyNoMember(provider, claims)
    if (strange !== undefined) throw new NoAccount(strange, claims)
    const { user, change } = await accountOf(app.db, provider, claims)
    Object.assign(request.record, { actor: user.username, userId: user.id, provider: provider.name })
    if (change) {
      const event = change === 'created' ? 'user_created' : 'user_updated'
      Object.assign(request.record, { event, after: { role: user.role, userType: user.userType } })
    }
    const url = new URL(config.loginUrl!)
    url.hash = `ticket=${await issueTicket(app.db, user, flow.challenge)}`
    signIns.inc({ provider: provider.name, outcome: 'success' })
    return goOn(reply, url)
  }))

  /** A failure that is expected is a page, too. */
  async function answering (
    request: FastifyRequest<ProviderRoute>, reply: FastifyReply, run: (client: ProviderClient) => Promise<string>
  ): Promise<string> {
    const { language, params: { provider: name }, record } = request
    const client = app.signIn.providers.get(name)
    if (!client) return say(404, 'signIn.unknown', '')
    try {
      return await run(client)
    } catch (error) {
      const failure = failures.find(([type]) => error instanceof type)
      if (!failure) throw error
      const [, status, outcome, text] = failure
      signIns.inc({ provider: name, outcome })
      Object.assign(record, { cause: inOneLine((error as Error).message), provider: name })
      // Only somebody who has signed in at the provider makes an event, which the audit log keeps.
      if (error instanceof NoAccount) {
        const { user } = error
        Object.assign(record, { event: 'authn_sign_in_fail', subject: user?.username, subjectId: user?.id })
      }
      return say(status, text, client.provider.label)
    }

    function say (status: number, text: keyof Texts, provider: string): string {
      reply.code(status).headers(headers(language))
      record.code = CODES[status]!
      return titled(language, statusLine(fillTemplate(language.texts[text], { provider, app: config.appName })))
    }
  }
}

function goOn (reply: FastifyReply, url: URL): string {
  reply.code(303).headers({ location: url.href, 'referrer-policy': 'no-referrer' })
  return ''
}

export default signInPage

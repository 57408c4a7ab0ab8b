import { join } from 'node:path'
import fp from 'fastify-plugin'
import { createMailer } from '../../mail/mailer.js'
import { Outbox } from '../../mail/outbox.js'
import { linkTokenHash, linkTokenKey } from '../../mail/link-tokens.js'
import { beginReset, confirmReset } from '../../auth/reset-links.js'
import { keysOf } from '../../auth/tokens.js'
import { outboxState, waitingInAll } from '../../mail/waiting-mails.js'
import type { Config } from '../../config/config.js'
import { ownOrigin } from '../../config/own-origin.js'
import { beginEnrolment, enrolmentPage } from '../../second-factor/enrolment.js'
import { every } from '../../base/every.js'
import { answersQueries } from '../../database/state.js'

const MEASURE_MS = 2000
/** After other polls of PostgreSQL. */
const MEASURE_LATER_MS = 20

/** Every replica sends mails, including those that other replicas queued. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const directory = join(config.dataDir, 'outbox')
  const { smtpUrl, mailFrom: from, appName, publicOrigin } = config
  const mailer = createMailer({ smtpUrl, from, appName, directory, publicOrigin })
  let tokenKey = linkTokenKey(keysOf(config))
  app.onReload((next) => { tokenKey = linkTokenKey(keysOf(next)) })
  let outbox: Outbox | undefined
  let endMeasuring: (() => unknown) | undefined
  let trouble: Error | undefined

  /** A query, because any replica may have queued or sent the mails. */
  async function measure (): Promise<void> {
    const waiting = answersQueries(app.states.database.value)
      ? await waitingInAll(app.polls).catch(() => undefined)
      : undefined
    if (waiting) app.metrics.oldestMailSeconds.set(waiting.oldestSeconds)
    else app.metrics.oldestMailSeconds.remove()
    if (trouble) return app.states.set('outbox', 'unreadable', trouble.message)
    if (!waiting) return app.states.set('outbox', 'unknown')
    const { value, reason } = outboxState(waiting)
    app.states.set('outbox', value, reason)
  }

  app.addHook('onReady', async () => {
    const origin = ownOrigin(config)
    outbox = new Outbox(app.db, app.polls, {
      mailer,
      links: {
        beginReset: async (recipient, token) => await beginReset(app.db, recipient, token, origin),
        confirmReset: async token => await confirmReset(app.db, token),
        async beginEnrolment ({ id, email, tokenVersion }, token) {
          const { sealing } = app.secondFactors
          if (!sealing.works) throw new Error('SECOND_FACTOR_KEY is not set')
          await beginEnrolment(app.db, sealing, { id, tokenVersion }, linkTokenHash(token)!, email)
          return enrolmentPage(origin, token)
        }
      },
      hasNoPasswordLogin: user => app.signIn.hasNoPasswordLogin(user),
      tokenKey: () => tokenKey,
      wording: config,
      log: app.log,
      isReachable: () => app.states.database.value === 'reachable',
      onTrouble (error) { trouble = error }
    })
    await measure()
    endMeasuring = every(MEASURE_MS, measure, MEASURE_LATER_MS)
  })
  // The stop begins before the wait for the last requests and is awaited after it, to stay within the grace period.
  app.addHook('preClose', async () => {
    endMeasuring?.()
    outbox?.stop()
  })
  app.addHook('onClose', async () => await outbox?.stop())
}, { name: 'outbox', dependencies: ['database', 'reload', 'second-factor', 'sign-in'] })

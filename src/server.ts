import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.js'
import { ConfigError, loadConfig, type Config } from './config.js'
import { formatPeriod } from './limiter/policies.js'
import { createLog } from './log.js'
import { buildOps } from './ops.js'

const config = readConfigOrExit()
const log = await createLog(config)

/** A balancer that asks /readyz every second sends nothing new after this. */
const NOTICE_MS = 2500

const app = await buildApp(config, log).catch(cannotStart)
const ops = buildOps(app, config, log)

// /readyz fails first, in-flight requests finish, then every connection and pool is closed; a second signal does not wait.
closeWithGrace({ delay: 12_000, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'stopped by an error')
  app.draining = true
  if (config.production && !err) await setTimeout(NOTICE_MS)
  await app.close()
  await ops.close()
})

for (const { name, capacity, refill, periodMs } of Object.values(config.limits.policies)) {
  log.info(`limit ${name}: ${capacity} at once, then ${refill} every ${formatPeriod(periodMs)}`)
}
log.info(`buckets: ${config.redisUrl === undefined ? 'in this process (set REDIS_URL to share them)' : 'in Redis'}`)
log.info(`users: ${config.databaseUrl === undefined ? `embedded PostgreSQL in ${config.dataDir}` : 'in PostgreSQL'}`)
if (config.smtpUrl === undefined) log[config.production ? 'warn' : 'info'](`mails: in files in ${join(config.dataDir, 'outbox')} (set SMTP_URL to send them)`)
await ops.listen({ host: config.opsHost, port: config.opsPort, listenTextResolver: url => `health and metrics on ${url}` })
  .catch(error => app.close().finally(() => cannotStart(error)))
await app.listen({ host: config.host, port: config.port, listenTextResolver: url => `listening on ${url}` })
  .catch(error => app.close().finally(() => cannotStart(error)))

function cannotStart (error: unknown): never {
  log.fatal({ err: error }, 'the service could not start')
  process.exit(1)
}

function readConfigOrExit (): Config {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

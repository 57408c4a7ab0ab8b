import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.js'
import { ConfigError, loadConfig, type Config } from './config.js'
import { formatPeriod } from './limiter/policies.js'
import { createLog } from './log.js'

const config = readConfigOrExit()
const log = await createLog(config)

const app = await buildApp(config, log).catch(cannotStart)

// In-flight requests finish, then every connection and pool is closed; a second signal does not wait.
closeWithGrace({ delay: 10_000, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'stopped by an error')
  await app.close()
})

for (const { name, capacity, refill, periodMs } of Object.values(config.limits.policies)) {
  log.info(`limit ${name}: ${capacity} at once, then ${refill} every ${formatPeriod(periodMs)}`)
}
log.info(`buckets: ${config.redisUrl === undefined ? 'in this process (set REDIS_URL to share them)' : 'in Redis'}`)
log.info(`users: ${config.databaseUrl === undefined ? `embedded PostgreSQL in ${config.dataDir}` : 'in PostgreSQL'}`)
if (config.smtpUrl === undefined) log[config.production ? 'warn' : 'info'](`mails: in files in ${join(config.dataDir, 'outbox')} (set SMTP_URL to send them)`)
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

import './base/node-version.js'
import './base/next-tick.js'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config/config.js'

/** A load balancer that checks /readyz every second sends no new requests after this time. */
const NOTICE_MS = 2500
/** Every client has its answer by now. Redis, PostgreSQL or the mail server may still not have given theirs. */
const CLOSE_MS = 11_000
const GRACE_MS = 12_000

/*
 * In a burst of connections, requests wait, and their objects outlive V8's young generation. V8 then starts to allocate
 * such objects in the old generation, and in Node 20 it never stops. Every later request would cost 1.8 times as much
 * CPU (`npm run bench burst`).
 */
setFlagsFromString('--no-allocation-site-pretenuring')

interface Service { config: Config, app: FastifyInstance, ops: FastifyInstance }

let log: FastifyBaseLogger | undefined
/** Undefined until there is something to close. */
let building: Promise<Service> | undefined
let stopping = false

/*
 * Graceful shutdown. The signal handlers are installed before anything else is loaded: loading takes most of a start,
 * and a PID 1 without handlers ignores signals. A service that gets a signal while it starts does not begin to listen.
 * Otherwise /readyz fails first, in-flight requests finish, and then every connection and pool is closed. A second
 * signal ends the process at once.
 */
const onEnd = {
  delay: GRACE_MS,
  skip: ['SIGHUP' as const],
  logger: { error: (text: unknown) => report(String(text)) },
  onSecondError () {}
}
closeWithGrace(onEnd, async ({ err, signal }) => {
  stopping = true
  if (err) report('stopped by an error', err)
  else log?.info({ code: 'stopping', signal }, 'stopping')
  if (!building) return
  const closed = started.then(async () => await close(await building!, err))
  if (await Promise.race([closed, setTimeout(CLOSE_MS, 'late')]) === 'late') {
    log?.warn({ code: 'stopped_waiting' }, 'stopped without an answer from Redis, PostgreSQL or the mail server')
  }
})

const started = start().catch(cannotStart)
// Before the service has started, it has read its files only now.
let reloaded = Promise.resolve()
process.on('SIGHUP', () => { if (building && !stopping) reloaded = reloaded.then(reload).catch(() => {}) })

async function start (): Promise<void> {
  const config = await readConfigOrExit()
  const [{ createLog }, { buildApp }, { buildOps }] = await Promise.all([
    import('./base/log.js'), import('./app.js'), import('./ops.js')
  ])
  log = await createLog(config)
  building = buildApp(config, log).then(app => ({ config, app, ops: buildOps(app, config, log!) }))
  const { app, ops } = await building
  if (stopping) return
  await logSettings(config, app, log)
  try {
    await app.ready()
    if (stopping) return
    await ops.listen({
      host: config.opsHost, port: config.opsPort, listenTextResolver: url => `health and metrics on ${url}`
    })
    const verifyPort = await app.listenForVerify?.()
    if (verifyPort !== undefined) log.info(`proxies may ask http://${config.verifyHost}:${verifyPort}/verify`)
    await collectGarbage()
    // A signal that came during the work before this is only seen after a full turn of the event loop.
    for (let phase = 0; phase < 2; phase++) await setImmediate()
    if (stopping) return
    await app.listen({ host: config.host, port: config.port, listenTextResolver: url => `listening on ${url}` })
  } catch (error) {
    await app.close().finally(() => cannotStart(error))
  }
}

/** A start leaves a fifth of the memory behind as garbage, and V8 would keep it while nobody asks. */
async function collectGarbage (): Promise<void> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/** All that changed is taken over, or, with every fault in the log, nothing. */
async function reload (): Promise<void> {
  const { reloadConfig } = await import('./config/reload-config.js')
  const service = await building!
  const { app } = service
  try {
    const { config, changed } = reloadConfig(service.config)
    await app.reload(config)
    service.config = config
    app.log.info({ code: 'settings_reloaded', changed }, changed.length > 0
      ? 'the files of the settings were read again'
      : 'no file of the settings differs. A container does not see a file that an editor, git or mv has replaced: ' +
        'write into it, or restart the container')
  } catch (error) {
    const { faults = [(error as Error).message] } = error as { faults?: readonly string[] }
    app.log.error({ code: 'settings_not_reloaded', faults }, 'the settings stay as they are: what changed has faults')
  }
}

async function close ({ config, app, ops }: Service, error: Error | undefined): Promise<void> {
  app.draining = true
  if (app.server.listening && config.production && !error) await setTimeout(NOTICE_MS)
  await app.close()
  await ops.close()
}

async function logSettings (config: Config, { limits }: FastifyInstance, log: FastifyBaseLogger): Promise<void> {
  for (const warning of config.warnings) log.warn({ code: 'setting_ignored' }, warning)
  const { limitText, numbersOf } = await import('./limiter/limits/policies.js')
  for (const policy of Object.values(limits.policies)) {
    const { name, capacity, refill, periodMs } = policy
    const details = { code: 'limit', policy: name, capacity, refill, periodMs }
    log.info(details, `limit ${name}: ${limitText(numbersOf(policy))}`)
  }
  log.info(`buckets: ${config.redisUrl === undefined ? 'in this process (set REDIS_URL to share them)' : 'in Redis'}`)
  log.info(`users: ${config.databaseUrl === undefined ? `embedded PostgreSQL in ${config.dataDir}` : 'in PostgreSQL'}`)
  if (config.smtpUrl === undefined) {
    const level = config.production ? 'warn' : 'info'
    log[level](`mails: in files in ${join(config.dataDir, 'outbox')} (set SMTP_URL to send them)`)
  }
}

async function readConfigOrExit (): Promise<Config> {
  const { loadConfig } = await import('./config/load.js')
  const { ConfigError } = await import('./config/config-error.js')
  try {
    return loadConfig('service')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

function cannotStart (error: unknown): never {
  report('the service could not start', error)
  process.exit(1)
}

/** The log may not be loaded yet when the first signal comes. */
function report (text: string, error?: unknown): void {
  if (log) log.fatal({ code: 'service_failed', err: error }, text)
  else console.error(text, error ?? '')
}

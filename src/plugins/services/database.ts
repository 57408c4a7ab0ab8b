import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { openDatabase, type Database } from '../../database/database.js'
import { createDemoAccounts } from '../../auth/demo-accounts.js'
import { applyMigrations } from '../../database/migrations.js'
import { answersQueries, databaseStates, DatabaseWatch, type DatabaseState } from '../../database/state.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database['prisma']
    polls: Database['polls']
    /** Whether the database was ever reachable since the start. */
    databaseAnswered: boolean
  }
}

/** The level and code with which the log reports each state. States with the same code are one outage. */
const lines: Record<DatabaseState, [level: 'info' | 'warn' | 'error', code: string]> = {
  reachable: ['info', 'database_recovered'],
  'read-only': ['warn', 'database_read_only'],
  'commits hang': ['error', 'database_commits_hang'],
  'no new connections': ['error', 'database_unavailable'],
  'not migrated': ['warn', 'schema_missing'],
  unreachable: ['error', 'database_unavailable']
}

/**
 * The embedded database belongs to this process. The process migrates it, and creates the demo accounts in a new one.
 * For a PostgreSQL server, `gatehouse migrate` does that once, and not in every replica.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const database = await openDatabase(config)
  app.decorate('db', database.prisma)
  app.decorate('polls', database.polls)
  app.onReload(({ databaseUrl }) => database.takeOver(databaseUrl))
  app.decorate('databaseAnswered', false)
  app.addHook('onClose', () => database.close())
  if (database.embedded) await prepare(database, app)

  let logged = 'database_recovered'
  const watch = new DatabaseWatch(database, config.databaseTimeoutMs, (value, reason) => {
    app.states.set('database', value, reason)
    app.metrics.databaseReachable.set(Number(answersQueries(value)))
    app.databaseAnswered ||= answersQueries(value)
    const [level, code] = lines[value]
    if (code !== logged) app.log[level]({ code, reason }, databaseStates[value].found)
    logged = code
  })
  app.addHook('onReady', () => watch.first)
  // Of `onClose` hooks, the last one runs first.
  app.addHook('onClose', () => watch.close())
}, { name: 'database', dependencies: ['hash-queue', 'metrics', 'reload'] })

async function prepare (database: Database, { passwords, log }: FastifyInstance): Promise<void> {
  await applyMigrations(database)
  for (const { username, password, role } of await createDemoAccounts(database, passwords)) {
    log.info(
      { code: 'demo_account_created', username, role },
      `demo account created: ${username} / ${password} (${role})`
    )
  }
}

import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { openDatabase, type Database } from '../../database/database.js'
import { createDemoAccounts } from '../../database/demo-accounts.js'
import { applyMigrations } from '../../database/migrations.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database['prisma']
  }
}

/**
 * The embedded database belongs to this process. The process migrates it, and creates the demo accounts in a new one.
 * For a PostgreSQL server, `gatehouse migrate` does that once, and not in every replica.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const database = await openDatabase(config)
  app.decorate('db', database.prisma)
  app.onReload(({ databaseUrl }) => database.takeOver(databaseUrl))
  app.addHook('onClose', () => database.close())

  if (!database.embedded) return
  await applyMigrations(database)
  for (const { username, password, role } of await createDemoAccounts(database, app.passwords)) {
    app.log.info(
      { code: 'demo_account_created', username, role },
      `demo account created: ${username} / ${password} (${role})`
    )
  }
}, { name: 'database', dependencies: ['hash-queue', 'reload'] })

import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'

type TakeOver = (config: Config) => void | Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds a function that takes over other settings, after those of earlier plugins. The settings have no faults. */
    onReload: (takeOver: TakeOver) => void
    /** Takes over other settings, without a restart. */
    reload: TakeOver
  }
}

/** What a SIGHUP changes. */
export default fp(async (app) => {
  const all: TakeOver[] = []
  app.decorate('onReload', (takeOver) => { all.push(takeOver) })
  app.decorate('reload', async (config) => { for (const takeOver of all) await takeOver(config) })
}, { name: 'reload' })

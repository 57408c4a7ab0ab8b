import fp from 'fastify-plugin'
import { every } from '../../base/every.js'
import { answersQueries } from '../../database/state.js'

const MEASURE_MS = 30_000

/** Measures how old the roster of each source is. Any machine may import one, so the database is asked. */
export default fp(async (app) => {
  let endMeasuring: (() => unknown) | undefined

  async function measure (): Promise<void> {
    const rosters = answersQueries(app.states.database.value)
      ? await app.db.$queryRaw<Array<{ source: string, age: number }>>`
        SELECT source, extract(epoch FROM now() - imported_at)::float8 AS age FROM rosters`.catch(() => [])
      : []
    app.metrics.rosterAge.reset()
    for (const { source, age } of rosters) app.metrics.rosterAge.set({ source }, age)
  }

  app.addHook('onReady', async () => {
    await measure()
    endMeasuring = every(MEASURE_MS, measure)
  })
  app.addHook('preClose', async () => { endMeasuring?.() })
}, { name: 'rosters', dependencies: ['database'] })

import { readState } from '../../limiter/limits/document.js'
import type { Options } from '../options.js'
import { print, table } from '../outcome.js'
import { withRedis } from './connection.js'

export async function history (_args: string[], { json }: Options): Promise<void> {
  await withRedis(async (redis) => {
    const { history } = await readState(redis)
    print(json, history, () => history.length === 0
      ? 'No limit was ever changed while the service ran.\n'
      : table(['version', 'at', 'by', 'change', 'why'], history.map(({ version, at, by, what, why = '-' }) =>
        [version, at, by, what, why])))
  })
}

import { loadConfig } from '../../config/load.js'
import { readHistory } from '../../limiter/limits/limits-document.js'
import type { CommonFlags } from '../options.js'
import { print, table } from '../output.js'
import { withRedis } from '../with-redis.js'

export async function history ({ json }: CommonFlags): Promise<void> {
  await withRedis(loadConfig(), async (redis) => {
    const documents = await readHistory(redis)
    print(json, documents, () => documents.length === 0
      ? 'No limit was ever changed while the service ran.\n'
      : table(['version', 'at', 'by', 'change', 'why'], documents.map(({ version, at, by, what, why = '-' }) =>
        [version, at, by, what, why])))
  })
}

import { writeFileSync } from 'node:fs'
import type { Config } from '../config/config.js'
import { loadConfig } from '../config/load.js'
import { readLimitsInForce } from '../limiter/limits/limits-document.js'
import { hasPolicy, type Limits } from '../limiter/limits/policies.js'
import { htmlReport } from '../simulate/html-report.js'
import { simulateLogs, type Simulation } from '../simulate/simulation.js'
import { limitsInFile } from './limits/check.js'
import type { CommonFlags } from './options.js'
import { Failure, print, printable } from './output.js'
import { mustBeReadable } from './readable.js'
import { simulationText } from './simulation-text.js'
import { withRedis } from './with-redis.js'

export async function simulate (
  { json, limits, html, suggest: share }: CommonFlags & { limits?: string, html?: string, suggest?: number },
  ...files: string[]
): Promise<void> {
  mustBeReadable(files)
  const { said, ...rules } = await rulesOf(limits)
  const report = await simulateLogs(files, { ...rules, share })
  print(json, report, () => simulationText(report))
  if (said !== undefined) process.stderr.write(`gatehouse: the limits are those of ${printable(said)}\n`)
  if (html !== undefined) write(html, htmlReport(report))
}

type Rules = Pick<Simulation, 'limits' | 'routes' | 'trustProxy'> & {
  /** Describes the limits if no file was named. */
  said: string | undefined
}

/** The limits of a file replace those in force. Modules and pages stay as configured. */
async function rulesOf (file: string | undefined): Promise<Rules> {
  const config = loadConfig()
  const { modules, trustProxy } = config
  const { limits, said } = file === undefined
    ? await limitsInForce(config)
    : { limits: limitsInFile(file), said: undefined }
  for (const { policy, prefix } of modules) {
    if (!hasPolicy(limits, policy)) throw new Failure(`${file} must define the policy ${policy}, which ${prefix} names`)
  }
  return { limits, routes: config, trustProxy, said }
}

/** The limits of `limits show`; without those that were set at run time if Redis does not answer. */
async function limitsInForce (config: Config): Promise<{ limits: Limits, said: string }> {
  const { limits, redisUrl } = config
  const file = 'LIMITS_FILE and the defaults'
  if (redisUrl === undefined) return { limits, said: `${file}: REDIS_URL is not set` }
  try {
    return await withRedis(config, async (redis) => {
      const { limits: live, version } = await readLimitsInForce(redis, limits)
      return { limits: live, said: version === 0 ? file : `version ${version}, over ${file}` }
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { limits, said: `${file}, without what was set while the service runs: ${error.message}` }
  }
}

function write (file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Failure(`${file} cannot be written: ${(error as Error).message}`)
  }
}

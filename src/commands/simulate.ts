import { statSync, writeFileSync } from 'node:fs'
import { loadConfig } from '../config.js'
import { isLimited } from '../limiter/policies.js'
import { STDIN, UnreadableLog } from '../simulate/lines.js'
import { pageOf } from '../simulate/page.js'
import type { Report } from '../simulate/report.js'
import { NotALog, simulate as simulateLogs, type Simulation } from '../simulate/simulate.js'
import { readLimits } from './limits/check.js'
import type { Options } from './options.js'
import { Failure, NotFound, print, UsageError } from './outcome.js'
import { showProgress } from './progress.js'
import { textOf } from './simulation-text.js'

export async function simulate (files: string[], { json, limits, html, suggest }: Options): Promise<void> {
  files.forEach(mustBeReadable)
  if (files.filter(file => file === STDIN).length > 1) throw new UsageError('standard input can be read once')
  const share = suggest === undefined ? undefined : parseShare(suggest)
  const report = await run(files, { ...await rulesOf(limits), share })
  print(json, report, () => textOf(report))
  if (html !== undefined) write(html, pageOf(report))
}

/** The limits of a file instead of those that are in force; modules and pages as they are. */
async function rulesOf (file: string | undefined): Promise<Pick<Simulation, 'limits' | 'routes'>> {
  const { limits: inForce, modules, docs } = loadConfig()
  const limits = file === undefined ? inForce : await readLimits(file)
  for (const { policy, prefix } of modules) {
    if (!isLimited(limits, policy)) throw new Failure(`${file} must define the policy ${policy}, which ${prefix} names`)
  }
  return { limits, routes: { modules, docs } }
}

async function run (files: string[], simulation: Simulation): Promise<Report> {
  const progress = showProgress('MB', async () => megabytesOf(files))
  try {
    return await simulateLogs(files, { ...simulation, onBytes: bytes => progress.add(bytes / 1e6) })
  } catch (error) {
    if (error instanceof NotALog || error instanceof UnreadableLog) throw new Failure(error.message)
    throw error
  } finally {
    progress.end()
  }
}

/** 0 if something is no file, such as a pipe: nobody knows how much comes through it. */
function megabytesOf (files: string[]): number {
  const stats = files.map(file => statSync(file, { throwIfNoEntry: false }))
  return stats.every(file => file?.isFile()) ? stats.reduce((sum, file) => sum + file!.size / 1e6, 0) : 0
}

function mustBeReadable (file: string): void {
  if (file === STDIN) return
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) throw new NotFound(`there is no file ${file}`)
  if (stats.isDirectory()) throw new Failure(`${file} is a directory: name the logs in it`)
}

/** @returns a share from 0 to 1 */
function parseShare (text: string): number {
  const [, number = '', percent] = /^(\d*\.?\d+)(%?)$/.exec(text) ?? []
  const share = Number(number) / (percent === '%' ? 100 : 1)
  if (number === '' || !(share > 0 && share < 1)) {
    throw new UsageError(`--suggest takes a share such as 0.1% or 0.001, not "${text}"`)
  }
  return share
}

function write (file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Failure(`${file} cannot be written: ${(error as Error).message}`)
  }
}

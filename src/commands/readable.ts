import { statSync } from 'node:fs'
import { STDIN } from '../access-log/lines.js'
import { Failure, NotFound, UsageError } from './output.js'

/** @throws {Failure} for logs that cannot be read, before the first one is */
export function mustBeReadable (logs: string[]): void {
  const files = logs.filter(log => log !== STDIN)
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats) throw new NotFound(`there is no file ${file}`)
    if (stats.isDirectory()) throw new Failure(`${file} is a directory: name the logs in it`)
  }
  if (logs.length - files.length > 1) throw new UsageError('standard input can be read once')
}

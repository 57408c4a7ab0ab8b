import { version } from '../base/version.js'
import { help } from './help.js'
import { escapeControls, Failure, UsageError } from './outcome.js'
import { parse } from './parse.js'

/** @returns the exit code */
export async function runCommand (argv: string[]): Promise<number> {
  try {
    const call = parse(argv)
    if (call === undefined) process.stdout.write(`gatehouse ${version}\n`)
    else if ('helpOf' in call) process.stdout.write(help(call.helpOf))
    else {
      const run = await call.command.load()
      const { useClientWidth } = await import('../config/load.js')
      useClientWidth()
      await run(call.args, call.values)
    }
    return 0
  } catch (error) {
    const { message, stack = message } = error as Error
    process.stderr.write(`gatehouse: ${escapeControls(await isExpected(error) ? message : stack)}\n`)
    if (error instanceof UsageError) process.stderr.write('See: gatehouse --help\n')
    return error instanceof Failure ? error.exitCode : 1
  }
}

/** The help and a wrong command do not need the configuration, which takes half of the start time. */
async function isExpected (error: unknown): Promise<boolean> {
  return error instanceof Failure || error instanceof (await import('../config/config-error.js')).ConfigError
}

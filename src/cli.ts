#!/usr/bin/env node
import './base/node-version.js'
import { help } from './commands/help.js'
import { escapeControls, Failure, UsageError } from './commands/outcome.js'
import { parse } from './commands/parse.js'

// In a container a command is PID 1, and a PID 1 without handlers ignores these signals.
process.once('SIGTERM', () => process.exit(143)).once('SIGINT', () => process.exit(130))

// A reader such as `head` closes the pipe when it has enough. That is not an error, but a full disk is. In both cases
// the command runs to its end, so that it closes everything that it opened.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.exitCode ||= 1
    if (stream === process.stdout) {
      process.stderr.write(`gatehouse: standard output cannot be written: ${error.message}\n`)
    }
  })
}

try {
  const call = parse(process.argv.slice(2))
  if (call) await (await call.command.load())(call.args, call.values)
  else process.stdout.write(help())
} catch (error) {
  process.exitCode = error instanceof Failure ? error.exitCode : 1
  const { message, stack = message } = error as Error
  process.stderr.write(`gatehouse: ${escapeControls(await isExpected(error) ? message : stack)}\n`)
  if (error instanceof UsageError) process.stderr.write('See: gatehouse --help\n')
}

/** The help and a wrong command do not need the configuration, which takes half of the start time. */
async function isExpected (error: unknown): Promise<boolean> {
  return error instanceof Failure || error instanceof (await import('./config/config.js')).ConfigError
}

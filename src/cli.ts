#!/usr/bin/env node
import './base/node-version.js'
import { runCommand } from './commands/run.js'

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

process.exitCode = await runCommand(process.argv.slice(2)) || process.exitCode

import {
  buildApplication, ExitCode, help, proposeCompletions, run, text_en as texts, type StricliProcess,
  version as versionOption
} from '@stricli/core'
import { OperatorError } from '../base/operator-error.js'
import { version } from '../base/version.js'
import { commands } from './commands.js'
import { escapeControls, Failure } from './output.js'

const gatehouse = buildApplication(commands, {
  name: 'gatehouse',
  scanner: { allowArgumentEscapeSequence: true },
  localization: { text: { ...texts, exceptionWhileRunningCommand: messageOf } },
  determineExitCode: error => error instanceof Failure ? error.exitCode : 1
}, {
  help: help({
    brief: 'this page; with a group or a command, the help of that one',
    defaultForRouteMap: true,
    formatting: { useAliasInUsageLine: false, onlyRequiredInUsageLine: false, caseStyle: 'original' }
  }),
  version: versionOption({ brief: 'the version of gatehouse', info: { currentVersion: `gatehouse ${version}` } })
})

/** @returns the exit code */
export async function runCommand (argv: string[]): Promise<number> {
  const { stdout } = process
  const stderr = { write: (text: string) => process.stderr.write(`gatehouse: ${escapeControls(text)}`) }
  const call: StricliProcess = { stdout, stderr }
  const [first, ...rest] = argv
  if (first === '--complete') {
    const proposals = await proposeCompletions(gatehouse, rest, { process: call })
    stdout.write(proposals.map(({ completion }) => `${completion}\n`).join(''))
    return 0
  }
  const inputs = first === 'help' ? [...rest, '--help'] : first === 'version' ? ['--version'] : argv
  await run(gatehouse, inputs, { process: call })
  const code = exitCodeOf(Number(call.exitCode))
  if (code === 2) process.stderr.write('See: gatehouse --help\n')
  return code
}

/** Stricli's own codes are negative. */
function exitCodeOf (code: number): number {
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return 2
  return code < 0 ? 1 : code
}

function messageOf (error: unknown): string {
  const { message, stack = message } = error as Error
  return error instanceof OperatorError ? message : stack
}

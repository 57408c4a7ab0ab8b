import { parseArgs } from 'node:util'
import { commands, groups, options, type Command, type Options } from './commands.js'
import { UsageError } from './outcome.js'

/** A command with its arguments and options; undefined if the help was asked for. */
export interface Call { command: Command, args: string[], values: Options }

/** @throws {UsageError} */
export function parse (argv: string[]): Call | undefined {
  const { values, positionals } = split(argv)
  if (values.help || positionals.length === 0) return undefined
  const [first, firstTwo] = [positionals[0]!, positionals.slice(0, 2).join(' ')]
  const named = commands.filter(({ words }) => words === first || words === firstTwo)
  if (named.length === 0) throw new UsageError(`there is no command "${firstTwo}"`)
  const [{ words }] = named as [Command]
  const args = positionals.slice(words.split(' ').length)
  const command = named.find(one => args.length >= fewest(one) && args.length <= most(one))
  if (!command) throw new UsageError(`"${words}" takes ${named.map(argsText).join(', or ')}, not ${args.length}`)
  const known = optionsOf(command)
  const stray = Object.keys(values).find(option => !known.includes(option))
  if (stray !== undefined) throw new UsageError(`"${words}" takes no --${stray} with ${argsText(command)}`)
  return { command, args, values }
}

function split (argv: string[]): { values: Options, positionals: string[] } {
  try {
    return parseArgs({ args: argv.map(withShare), allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const DEFAULT_SHARE = '0.1%'

/** `--suggest` may be followed by a share. parseArgs does not support an option with an optional value. */
function withShare (arg: string, i: number, argv: string[]): string {
  return arg === '--suggest' && !/^\d*\.?\d+%?$/.test(argv[i + 1] ?? '') ? `--suggest=${DEFAULT_SHARE}` : arg
}

const argsOf = ({ args = '' }: Command): string[] => args.split(' ').filter(arg => arg !== '')
const fewest = (command: Command): number => argsOf(command).filter(arg => !arg.startsWith('[')).length
const most = (command: Command): number => command.args?.endsWith('…') ? Infinity : argsOf(command).length

function argsText (command: Command): string {
  const [from, to] = [fewest(command), most(command)]
  const number = to === Infinity ? `${from} or more` : from === to ? `${from}` : `${from} or ${to}`
  return `${number} argument${to === 1 ? '' : 's'}`
}

/** The names of the options that a command takes. */
export function optionsOf ({ takes = '' }: Command): string[] {
  const all = takes.replace(/[A-Z]+/g, word => groups[word] ?? word)
  return ['json', 'help', ...[...all.matchAll(/--([a-z-]+)/g)].map(([, name]) => name!)]
}

import { parseArgs } from 'node:util'
import { optionsOf, type Command } from './command.js'
import { commands } from './commands.js'
import { options, type Options } from './options.js'
import { distance, nearest } from '../base/nearest.js'
import { UsageError } from './outcome.js'

/** A command with its arguments and options; or those of which the help was asked for; undefined for the version. */
export type Call = { command: Command, args: string[], values: Options } | { helpOf: Command[] } | undefined

/** @throws {UsageError} */
export function parse (argv: string[]): Call {
  const { values, positionals: [...words] } = split(argv)
  if (values.version || words[0] === 'version') return undefined
  const asksHelp = values.help || words[0] === 'help'
  if (words[0] === 'help') words.shift()
  if (words.length === 0) return { helpOf: commands }
  const [first, firstTwo] = [words[0]!, words.slice(0, 2).join(' ')]
  const named = commands.filter(({ words }) => words === first || words === firstTwo)
  const group = commands.filter(({ words }) => words.startsWith(`${first} `))
  if (named.length === 0 && group.length > 0 && (words.length === 1 || asksHelp)) return { helpOf: group }
  if (named.length === 0) throw new UsageError(`there is no command "${firstTwo}"${nearestTo(firstTwo, group)}`)
  return asksHelp ? { helpOf: named } : callOf(named, words, values)
}

/** @param group the commands that begin with the same word; none if that word is wrong */
function nearestTo (words: string, group: Command[]): string {
  const known = (group.length > 0 ? group : commands).map(command => command.words)
  if (group.length === 0) known.push(...known.map(one => one.split(' ')[0]!))
  const first = words.split(' ')[0]!
  const [two, one] = [words, first].map(asked => ({ meant: nearest(asked, known)!, asked })) as [Guess, Guess]
  return `; did you mean "${far(two) <= far(one) ? two.meant : one.meant}"?`
}

interface Guess { meant: string, asked: string }
const far = ({ meant, asked }: Guess): number => distance(meant, asked)

function callOf (named: Command[], given: string[], values: Options): Call {
  const [{ words }] = named as [Command]
  const args = given.slice(words.split(' ').length)
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

import { groups, type Options } from './options.js'

/** What an operator can call. The parser and the help are made of it. */
export interface Command {
  words: string
  /** In brackets if it may be left out, and with … if there may be more of it. */
  args?: string
  /** As the help shows them. A word in capitals without dashes is one of `groups`. */
  takes?: string
  help?: string
  /** Loaded only when it is called, because commands that use only Redis need no database client. */
  load: () => Promise<(args: string[], options: Options) => Promise<void>>
}

/** The names of the options that a command takes. */
export function optionsOf ({ takes = '' }: Command): string[] {
  const all = takes.replace(/[A-Z]+/g, word => groups[word] ?? word)
  return ['json', 'help', 'version', ...[...all.matchAll(/--([a-z-]+)/g)].map(([, name]) => name!)]
}

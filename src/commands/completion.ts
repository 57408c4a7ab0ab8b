import { defaultLimits } from '../limiter/limits/policies.js'
import { optionsOf, type Command } from './command.js'
import { options } from './options.js'
import { UsageError } from './outcome.js'

/** The two shells differ only in how they name what was typed, and what they do with the candidates. */
const shells: Record<string, (cases: string) => string> = {
  bash: cases => `_gatehouse () {
  local candidates= command= word previous=\${COMP_WORDS[COMP_CWORD-1]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || command+=\${command:+ }$word
  done
${cases}
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`,
  zsh: cases => `#compdef gatehouse
_gatehouse () {
  local candidates= command="\${(j: :)\${(@)words[2,CURRENT-1]:#-*}}" previous=\${words[CURRENT-1]}
${cases}
  compadd -- \${=candidates} || _files
}
compdef _gatehouse gatehouse
`
}

/** The command that prints a script for a shell, which completes these commands. */
export const completionOf = (commands: readonly Command[]) => async ([shell = '']: string[]): Promise<void> => {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (!script) throw new UsageError(`"completion" takes ${Object.keys(shells).join(' or ')}, not "${shell}"`)
  process.stdout.write(script(cases(commands)))
}

/** What may come next, by the option that stands before, and by the command. */
function cases (commands: readonly Command[]): string {
  const options = [['--policy', policies], ['--mode', modes]] as const
  return `  case $previous in
${options.map(([option, next]) => `    ${option}) candidates='${next.join(' ')}' ;;\n`).join('')}    *) case $command in
${[...candidates(commands)].map(([words, next]) =>
    `      ${patternOf(words, commands)}) candidates='${next.join(' ')}' ;;\n`).join('')}\
    esac ;;
  esac`
}

const policies = Object.keys(defaultLimits.policies)
const modes = options.mode.value.split('|')
const unique = (words: string[]): string[] => [...new Set(words)]
const firstWords = (commands: readonly Command[]): string[] => unique(commands.map(({ words }) => words.split(' ')[0]!))
const groupsOf = (commands: readonly Command[]): string[] =>
  firstWords(commands).filter(word => commands.every(({ words }) => words !== word))

/** By the words that are there already. */
function candidates (commands: readonly Command[]): Map<string, string[]> {
  const next = new Map([['', [...firstWords(commands), '--help', '--version']]])
  for (const group of groupsOf(commands)) {
    const own = commands.filter(({ words }) => words.startsWith(`${group} `))
    next.set(group, unique(own.map(({ words }) => words.slice(group.length + 1))))
  }
  for (const command of commands) {
    const words = optionsOf(command).filter(name => name !== 'version').map(name => `--${name}`)
    next.set(command.words, unique([...next.get(command.words) ?? [], ...argumentsOf(command.args), ...words]))
  }
  return next
}

function argumentsOf (args = ''): string[] {
  if (args.startsWith('POLICY')) return policies
  return /^[a-z|]+$/.test(args) ? args.split('|') : []
}

/** Behind a whole command come its arguments. */
const patternOf = (words: string, commands: readonly Command[]): string =>
  words === '' || groupsOf(commands).includes(words) ? `'${words}'` : `'${words}'*`

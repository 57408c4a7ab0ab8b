import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorsOf, root } from '../test/fixtures/markdown.js'

/*
 * What docs/runbook.md says, by its entries. An entry is a section, or an item of a list that begins with bold text. It
 * is named by its heading, or by a part of the bold text that no other item has.
 */

/** The words in capitals that stand for something in a command. */
const PLACEHOLDER =
  /(?<![\w$-]|ROLE \w+ )(USER|ADDRESS|CIDR|POLICY|KEY|REPLICA|PID|HOST|PORT|PASSWORD|CONTAINER|NUMBER)(?!\w)/

interface Start {
  line: number
  title: string
  /** A section ends where one of a lower or the same rank begins. */
  rank: number
}

/** @throws if there is none, or more than one */
export function entryOf (name: string, page = pageOf('runbook.md')): string {
  const lines = page.split('\n')
  const starts = startsOf(lines)
  const exact = starts.filter(({ title }) => title === name)
  const [found, ...others] = exact.length > 0 ? exact : starts.filter(({ title }) => isNamed(title, name))
  if (found === undefined || others.length > 0) {
    throw new Error(`docs/runbook.md has ${found ? 'several entries' : 'no entry'} "${name}"`)
  }
  const end = found.rank < ITEM ? sectionEnd(starts, found) : itemEnd(lines, found)
  return lines.slice(found.line, end).join('\n')
}

/** The titles of all entries that say what to do: those of alerts, and the items of lists. */
export function entries (): string[] {
  const lines = pageOf('runbook.md').split('\n')
  return startsOf(lines).filter(start => start.rank < ITEM
    ? /^Gatehouse\w+$/.test(start.title)
    : lines.slice(start.line, itemEnd(lines, start)).join('\n').includes('→')).map(({ title }) => title)
}

export const isNamed = (title: string, name: string): boolean => title.includes(name)

/** The rank of an item that is not indented. */
const ITEM = 10

function startsOf (lines: string[]): Start[] {
  let isCode = false
  return lines.flatMap((text, line): Start[] => {
    if (/^ *```/.test(text)) isCode = !isCode
    if (isCode) return []
    const [, marks, heading] = /^(#+) (.+)$/.exec(text) ?? []
    if (heading !== undefined) return [{ line, title: heading, rank: marks!.length }]
    const [, indent] = /^( *)- \*\*/.exec(text) ?? []
    if (indent === undefined) return []
    const [, title = ''] = /\*\*([^]+?)\*\*/.exec(lines.slice(line, line + 5).join('\n')) ?? []
    return [{ line, title: title.replaceAll(/\s+/g, ' '), rank: ITEM + indent.length }]
  })
}

const sectionEnd = (starts: Start[], { line, rank }: Start): number | undefined =>
  starts.find(start => start.line > line && start.rank <= rank)?.line

function itemEnd (lines: string[], { line, rank }: Start): number | undefined {
  const further = lines.findIndex((text, i) => i > line && text !== '' && /^ */.exec(text)![0].length <= rank - ITEM)
  return further === -1 ? undefined : further
}

/** What an entry prints to be run, and what the sections print to which it links. */
export function commandsOf (entry: string): string[] {
  const links = [...entry.matchAll(/\]\(([\w.-]*\.md)?#([\w-]+)\)/g)]
  const linked = links.map(([, page = 'runbook.md', anchor]) => sectionOf(pageOf(page), anchor!))
  return [entry, ...linked].flatMap(commandsIn)
}

function sectionOf (page: string, anchor: string): string {
  const heading = [...page.matchAll(/^#+ (.+)$/gm)].find(([line]) => anchorsOf(line).has(anchor))
  return entryOf(heading![1]!, page)
}

function commandsIn (text: string): string[] {
  const blocks = [...text.matchAll(/^( *)```(sh|sql)\n([^]*?)^ *```$/gm)]
  const rest = text.replaceAll(/^ *```[^]*?^ *```$/gm, '')
  return [
    ...blocks.flatMap(([, indent = '', kind, lines]) =>
      wholeCommands(lines!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), kind === 'sql')),
    ...[...rest.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll(/\s+/g, ' '))
  ]
}

/** A command goes on if its line ends with a backslash or inside quotes, and SQL until its semicolon. */
function wholeCommands (block: string, isSql: boolean): string[] {
  const commands: string[] = []
  let begun = ''
  for (const line of block.trimEnd().split('\n')) {
    begun += begun === '' ? line : `\n${line}`
    const isQuoted = ['\'', '"'].some(quote => begun.split(quote).length % 2 === 0)
    const isOpen = isSql ? !begun.endsWith(';') : isQuoted || begun.endsWith('\\')
    if (isOpen) continue
    commands.push(begun)
    begun = ''
  }
  return commands
}

/** @throws if the entry prints no command that begins so */
export function commandOf (entry: string, start: string): string {
  const command = commandsOf(entry).find(text => text.startsWith(start))
  if (command === undefined) throw new Error(`the entry prints no command "${start}…"`)
  return command
}

/**
 * @param values what stands for placeholders, or for an example of the page
 * @throws if a placeholder has no value
 */
export function filled (command: string, values: Record<string, string> = {}): string {
  const text = Object.entries(values).reduce((text, [name, value]) => {
    const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return text.replaceAll(new RegExp(`(?<!\\w)${literal}(?!\\w)`, 'g'), () => value)
  }, command)
  const left = PLACEHOLDER.exec(text)
  if (left) throw new Error(`"${command}" has the placeholder ${left[0]}, which has no value`)
  return text
}

/** In how many ms an entry says that all is well again, such as "within 2 s" or "within a minute". */
export function promiseOf (entry: string, words: string): number {
  if (!entry.replaceAll(/\s+/g, ' ').includes(words)) throw new Error(`the entry does not say "${words}"`)
  const [, count = '', unit = ''] = /within (a|\d+) (s|second|minute)/.exec(words) ?? []
  return (count === 'a' ? 1 : Number(count)) * (unit === 'minute' ? 60_000 : 1000)
}

const pages = new Map<string, string>()

/** A page of docs/. */
export function pageOf (name: string): string {
  const text = pages.get(name) ?? readFileSync(join(root, 'docs', name), 'utf8')
  pages.set(name, text)
  return text
}

import { OperatorError } from '../base/operator-error.js'

/** An end without success: a message for the user, and an exit code for scripts. */
export class Failure extends OperatorError {
  constructor (message: string, readonly exitCode: 1 | 2 | 3 | 4 | 5 = 1, options?: ErrorOptions) {
    super(message, options)
  }
}

export class UsageError extends Failure {
  constructor (message: string) {
    super(message, 2)
  }
}

export class NotFound extends Failure {
  constructor (message: string) {
    super(message, 3)
  }
}

export const noUser = (name: string): NotFound => new NotFound(`there is no user ${name}`)

/** The faults of a file, or why it cannot be read. */
export function failureOf (file: string, error: unknown): Failure {
  const { faults, code, message } = error as NodeJS.ErrnoException & { faults?: readonly string[] }
  if (code === 'ENOENT') return new NotFound(`there is no file ${file}`)
  if (faults) return new Failure(`${file} has ${faultsText(faults)}`)
  return new Failure(`${file} cannot be read: ${message}`)
}

const faultsText = (faults: readonly string[]): string =>
  `${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map(fault => `  ${fault}`).join('\n')}`

/**
 * Replaces invisible characters, such as an escape sequence, a line feed or a mark that changes the writing direction,
 * by their JSON escapes. Someone who can write a key into Redis must not control a terminal.
 */
export const printable = (text: string): string => escapeControls(text).replaceAll('\n', '\\n')

/** Replaces invisible characters, but keeps line feeds, for a text of several lines. JSON keeps its meaning. */
export function escapeControls (text: string): string {
  if (/^[\n -~]*$/.test(text)) return text
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => character.split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''))
}

/** Columns two spaces apart, as wide as their widest cell, headed in capitals. */
export function table (columns: string[], rows: Array<Array<string | number>>): string {
  const lines = [columns.map(name => name.toUpperCase()), ...rows.map(row => row.map(cell => printable(String(cell))))]
  const widths = columns.map((_, i) => lines.reduce((width, line) => Math.max(width, line[i]!.length), 0))
  return lines.map(line => line.map((cell, i) => cell.padEnd(widths[i]!)).join('  ').trimEnd() + '\n').join('')
}

export async function print (json: boolean, value: unknown, text: () => string): Promise<boolean> {
  return await write(process.stdout, json ? jsonText(value, 2) : text())
}

/** @returns a promise that resolves when it is written; to false on an error, such as a pipe that the reader closed */
export async function write (stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  return await new Promise(resolve => stream.write(text, error => resolve(!error)))
}

/** Writes the pages of a list as one JSON array, as they come. It stops early if the reader has closed the pipe. */
export async function writeList (pages: AsyncIterable<unknown[]>): Promise<void> {
  let before = '['
  for await (const page of pages) {
    if (page.length === 0) continue
    if (!await write(process.stdout, before + page.map(item => `\n  ${jsonText(item).trimEnd()}`).join(','))) return
    before = ','
  }
  await write(process.stdout, before === '[' ? '[]\n' : '\n]\n')
}

/** A JSON document, or one line if there is no `indent`. */
export const jsonText = (value: unknown, indent?: number): string =>
  `${escapeControls(JSON.stringify(value, null, indent))}\n`

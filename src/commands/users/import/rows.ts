import { CsvError, parse } from 'csv-parse/sync'
import type { Columns, Found } from './columns.js'
import { plain, type Field } from './fields.js'
import { formatOf, ROLES, type Format } from './formats.js'

/** A longer row is a quote that is not closed, and would be read into memory. */
const MAX_ROW_BYTES = 65_536
const NOT_UTF8 = 'is not UTF-8: save the file as UTF-8'
/** A first line for Excel, which other programs do not show, and one of Entra's. */
const SEPARATOR = /^sep=(.)/
const FIRST_LINE = /^(sep=|version:v\d)/
const NEWLINE = /\r\n|[\r\n]/g
/** Rows above the header that are looked at for it. */
const MAX_TITLES = 10

/** What an import reads of a file, or of the files of a bundle. */
export interface Source {
  bytes: Buffer
  /** Of a bundle with a file of roles. */
  roleOf?: (sourcedId: string, primaryOrg: string | undefined) => string | undefined
  /** What the manifest of a bundle says. */
  version?: string
  /** It has only those who changed, so nobody is missing. */
  isDelta: boolean
}

/** One row of a file, from the line on which it begins. An empty value says nothing. */
export interface Row {
  line: number
  values: Partial<Record<Field, string>>
  format: Format
  /** What is wrong with its form. */
  fault?: string
  /** All of them, if they are too many or too few: then `values` may have those of other fields. */
  cells?: string[]
}

/** What is wrong with a row. */
export interface Fault {
  line: number
  fault: string
}

/** What comes after this line cannot be read. */
export class Unreadable extends Error {
  constructor (readonly line: number, fault: string) {
    super(fault)
  }
}

/**
 * The rows of CSV with a header, or of JSON lines. Separators are commas, semicolons or tabs, whichever the header has
 * most. Lines are physical lines: a row with line breaks in quotes has several.
 *
 * @param source its bytes are UTF-8. Bytes that are not become U+FFFD, so that each row of them is found
 * @throws {Unreadable} behind the rows before it
 */
export function * readRows (source: Pick<Source, 'bytes' | 'roleOf'>, find: Columns['find']): Generator<Row> {
  const text = new TextDecoder().decode(source.bytes)
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1)
  if (head.includes('\0')) throw new Unreadable(1, NOT_UTF8)
  if (head.startsWith('[')) throw new Unreadable(1, 'is a list of JSON: write one object in each line')
  if (head.startsWith('<')) throw new Unreadable(1, 'is a web page or XML: save it as CSV from a spreadsheet')
  yield * head.startsWith('{') ? jsonRows(text, find) : csvRows(text, separatorOf(text), find, source.roleOf)
}

function separatorOf (text: string): string {
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1)
  const [, named] = SEPARATOR.exec(head) ?? []
  if (named !== undefined) return named
  const table = FIRST_LINE.test(head) ? text.slice(text.indexOf(head) + head.length) : text
  // Names of columns may have line ends.
  const [header = ''] = /^(?:"[^"]*"|[^"\r\n])*/.exec(table.trimStart()) ?? []
  const signs = header.replace(/"[^"]*"/g, '')
  const numbers = [',', ';', '\t'].map(sign => ({ sign, number: signs.split(sign).length }))
  return numbers.reduce((most, one) => one.number > most.number ? one : most).sign
}

function * csvRows (
  text: string, delimiter: string, find: Columns['find'], roleOf: Source['roleOf']
): Generator<Row> {
  const { records, error } = parsed(text, delimiter)
  let found: Found | undefined
  let withRole = (cells: string[]): string[] => cells
  let line = 1
  for (const [i, cells] of records.entries()) {
    const at = line
    line += cells.reduce((lines, cell) => lines + (cell.match(NEWLINE)?.length ?? 0), 1)
    if (cells.every(cell => cell === '') || (at === 1 && FIRST_LINE.test(cells[0]!))) continue
    if (found) {
      yield rowOf(at, found, withRole(cells))
    } else {
      if (roleOf) withRole = addsRole(cells, roleOf)
      found = understood(find, withRole(cells), at, records.slice(i + 1, i + MAX_TITLES))
    }
  }
  if (error) throw new Unreadable(line, faultOf(error))
}

/** Adds a column with the roles of another file, unless there is one. */
function addsRole (header: string[], roleOf: NonNullable<Source['roleOf']>): (cells: string[]) => string[] {
  const names = header.map(plain)
  const [id, org] = [names.indexOf('sourcedid'), names.indexOf('primaryorgsourcedid')]
  if (names.includes('role')) return cells => cells
  return cells => [...cells, cells === header ? ROLES : roleOf(cells[id] ?? '', cells[org]) ?? '']
}

/** The records before an error, and the error. */
function parsed (text: string, delimiter: string): { records: string[][], error?: CsvError } {
  const records: string[][] = []
  try {
    parse(text, {
      delimiter,
      trim: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_ROW_BYTES,
      on_record (record: string[]) {
        records.push(record)
        return null
      }
    })
    return { records }
  } catch (error) {
    if (error instanceof CsvError) return { records, error }
    throw error
  }
}

function rowOf (line: number, { fields, format }: Found, cells: string[]): Row {
  const values: Row['values'] = {}
  fields.forEach((own, i) => own.forEach((field) => { values[field] = cells[i] ?? '' }))
  const counts = cells.length !== fields.length &&
    `has ${cells.length} cells, and the header has ${fields.length}`
  const fault = counts || (cells.some(cell => cell.includes('\ufffd')) && NOT_UTF8)
  return { line, values, format, ...fault && { fault }, ...counts && { cells } }
}

function understood (find: Columns['find'], columns: string[], line: number, next: string[][]): Found {
  try {
    return find(columns, true)
  } catch (error) {
    throw new Unreadable(line, insteadOfHeader(columns, line, next) ?? (error as Error).message)
  }
}

/** Why the first line is no header, if that can be seen: titles, or a separator that no file has by itself. */
function insteadOfHeader (columns: string[], line: number, next: string[][]): string | undefined {
  const isHeader = (cells: string[]): boolean => {
    const names = cells.flatMap(cell => cell.split(/[,;\t]/))
    return formatOf(names, false).has.length > 0 || names.some(name => plain(name) === 'username')
  }
  const titles = isHeader(columns) ? -1 : next.findIndex(isHeader)
  if (titles >= 0) return `is no header, and line ${line + titles + 1} may be one: delete the lines above it`
  const [sign] = /[|^~]/.exec(columns.length === 1 ? columns[0]! : '') ?? []
  return sign && `seems to separate cells by ${sign}: write the line sep=${sign} above it`
}

function faultOf ({ code }: CsvError): string {
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return 'has text behind the quote that ends a cell: write a quote as ""'
  if (code === 'INVALID_OPENING_QUOTE') return 'has a quote within a cell: put the cell in quotes, and write it as ""'
  return 'has a quote that is not closed, or is longer than 64 KiB'
}

function * jsonRows (text: string, find: Columns['find']): Generator<Row> {
  for (const [i, one] of text.split('\n').entries()) if (one.trim() !== '') yield jsonRow(one, i + 1, find)
}

function jsonRow (text: string, line: number, find: Columns['find']): Row {
  let found: Found | undefined
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object !== 'object' || object === null || Array.isArray(object)) throw new Error('is not an object')
    const cells = Object.entries(object).flatMap(([name, value]) => cellsOf(name, value))
    found = find(cells.map(([name]) => name), false)
    const used = cells.map(([name, value], i) => found!.fields[i]!.length === 0 ? '' : textOf(name, value))
    return rowOf(line, found, used)
  } catch (error) {
    const fault = error instanceof SyntaxError ? 'is not JSON: each line must be one object' : (error as Error).message
    return { line, values: {}, format: found?.format ?? formatOf([], true), fault }
  }
}

/** Members of objects are columns such as `app_metadata.role`, and what MongoDB writes as an object is one value. */
function cellsOf (name: string, value: unknown): Array<[name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
  const members = Object.entries(value)
  if (members.length === 1 && members[0]![0].startsWith('$')) return [[name, members[0]![1]]]
  return members.flatMap(([member, inner]) => cellsOf(`${name}.${member}`, inner))
}

function textOf (name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Error(`has an object or a list in ${name}`)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error(`has a number in ${name} that may be rounded: put it in quotes`)
  }
  return value === null ? '' : String(value)
}

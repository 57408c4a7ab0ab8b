import { CsvError, parse } from 'csv-parse/sync'
import type { Field, FieldsOf } from './columns.js'

/** A longer row is a quote that is not closed, and would be read into memory. */
const MAX_ROW_BYTES = 65_536
const NOT_UTF8 = 'is not UTF-8: save the file as UTF-8'
/** A first line for Excel, which other programs do not show. */
const SEPARATOR = /^sep=(.)/
const NEWLINE = /\r\n|[\r\n]/g

/** One row of a file, from the line on which it begins. An empty value says nothing. */
export interface Row {
  line: number
  values: Partial<Record<Field, string>>
  /** What is wrong with its form. */
  fault?: string
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
 * @param bytes UTF-8. Bytes that are not become U+FFFD, so that each row of them is found
 * @throws {Unreadable} behind the rows before it
 */
export function * readRows (bytes: Buffer, fieldsOf: FieldsOf): Generator<Row> {
  const text = new TextDecoder().decode(bytes)
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1)
  if (head.startsWith('PK')) throw new Unreadable(1, 'is a spreadsheet: save it as CSV')
  if (head.includes('\0')) throw new Unreadable(1, NOT_UTF8)
  if (head.startsWith('[')) throw new Unreadable(1, 'is a list of JSON: write one object in each line')
  yield * head.startsWith('{') ? jsonRows(text, fieldsOf) : csvRows(text, separatorOf(head), fieldsOf)
}

function separatorOf (head: string): string {
  const [, named] = SEPARATOR.exec(head) ?? []
  if (named !== undefined) return named
  const header = head.replace(/"[^"]*"/g, '')
  const numbers = [',', ';', '\t'].map(sign => ({ sign, number: header.split(sign).length }))
  return numbers.reduce((most, one) => one.number > most.number ? one : most).sign
}

function * csvRows (text: string, delimiter: string, fieldsOf: FieldsOf): Generator<Row> {
  const { records, error } = parsed(text, delimiter)
  let fields: Field[][] | undefined
  let line = 1
  for (const cells of records) {
    const at = line
    line += cells.reduce((lines, cell) => lines + (cell.match(NEWLINE)?.length ?? 0), 1)
    if (cells.every(cell => cell === '') || (at === 1 && cells[0] === 'sep=')) continue
    if (fields) yield rowOf(at, fields, cells)
    else fields = understood(fieldsOf, cells, at)
  }
  if (error) throw new Unreadable(line, faultOf(error))
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

function rowOf (line: number, fields: Field[][], cells: string[]): Row {
  const values: Row['values'] = {}
  fields.forEach((own, i) => own.forEach((field) => { values[field] = cells[i] ?? '' }))
  const counts = cells.length !== fields.length &&
    `has ${cells.length} cells, and the header has ${fields.length}`
  const fault = counts || (cells.some(cell => cell.includes('\ufffd')) && NOT_UTF8)
  return { line, values, ...fault && { fault } }
}

function understood (fieldsOf: FieldsOf, columns: string[], line: number): Field[][] {
  try {
    return fieldsOf(columns, true)
  } catch (error) {
    throw new Unreadable(line, (error as Error).message)
  }
}

function faultOf ({ code }: CsvError): string {
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return 'has text behind the quote that ends a cell: write a quote as ""'
  if (code === 'INVALID_OPENING_QUOTE') return 'has a quote within a cell: put the cell in quotes, and write it as ""'
  return 'has a quote that is not closed, or is longer than 64 KiB'
}

function * jsonRows (text: string, fieldsOf: FieldsOf): Generator<Row> {
  for (const [i, one] of text.split('\n').entries()) yield * jsonRow(one, i + 1, fieldsOf)
}

function * jsonRow (text: string, line: number, fieldsOf: FieldsOf): Generator<Row> {
  if (text.trim() === '') return
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object !== 'object' || object === null || Array.isArray(object)) throw new Error('is not an object')
    const wrong = Object.entries(object).find(([, value]) => typeof value === 'object' && value !== null)
    if (wrong) throw new Error(`has an object or a list in ${wrong[0]}`)
    const rounded = Object.entries(object)
      .find(([, value]) => typeof value === 'number' && !Number.isSafeInteger(value))
    if (rounded) throw new Error(`has a number in ${rounded[0]} that may be rounded: put it in quotes`)
    const cells = Object.values(object).map(value => value === null ? '' : String(value))
    yield rowOf(line, fieldsOf(Object.keys(object), false), cells)
  } catch (error) {
    const fault = error instanceof SyntaxError ? 'is not JSON: each line must be one object' : (error as Error).message
    yield { line, values: {}, fault }
  }
}

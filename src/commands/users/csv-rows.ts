import { parse } from 'csv-parse'
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
 * @throws {Unreadable}
 */
export async function * readRows (chunks: AsyncIterable<Buffer>, fieldsOf: FieldsOf): AsyncGenerator<Row> {
  const text = textOf(chunks)
  let head = ''
  while (!/[\r\n]/.test(head.trimStart()) && head.length < MAX_ROW_BYTES) {
    const { value, done } = await text.next()
    if (done) break
    head += value
  }
  if (head.startsWith('PK')) throw new Unreadable(1, 'is a spreadsheet: save it as CSV')
  if (head.includes('\0')) throw new Unreadable(1, NOT_UTF8)
  if (head.trimStart().startsWith('[')) throw new Unreadable(1, 'is a list of JSON: write one object in each line')
  const whole = (async function * () {
    yield head
    yield * text
  })()
  yield * head.trimStart().startsWith('{') ? jsonRows(whole, fieldsOf) : csvRows(whole, separatorOf(head), fieldsOf)
}

/** Without a byte order mark. Bytes that are not UTF-8 become U+FFFD, so that each row of them is found. */
async function * textOf (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

function separatorOf (head: string): string {
  const [, named] = SEPARATOR.exec(head) ?? []
  if (named !== undefined) return named
  const [header = ''] = head.trimStart().replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const numbers = [',', ';', '\t'].map(sign => ({ sign, number: header.split(sign).length }))
  return numbers.reduce((most, one) => one.number > most.number ? one : most).sign
}

async function * csvRows (
  text: AsyncIterable<string>, delimiter: string, fieldsOf: FieldsOf
): AsyncGenerator<Row> {
  const records: string[][] = []
  // The records are taken from here, because a stream that fails drops those that were not read yet.
  const parser = parse({
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
  const ended = new Promise<void>(resolve => parser.on('error', () => resolve()).on('end', resolve).resume())
  let fields: Field[][] | undefined
  let line = 1

  function * rows (): Generator<Row> {
    for (const cells of records.splice(0)) {
      const at = line
      line += cells.reduce((lines, cell) => lines + (cell.match(NEWLINE)?.length ?? 0), 1)
      if (cells.every(cell => cell === '') || (at === 1 && cells[0] === 'sep=')) continue
      if (fields) yield rowOf(at, fields, cells)
      else fields = understood(fieldsOf, cells, at)
    }
    if (parser.errored) throw new Unreadable(line, faultOf(parser.errored))
  }

  for await (const part of text) {
    await new Promise(resolve => parser.write(part, resolve))
    yield * rows()
  }
  parser.end()
  await ended
  yield * rows()
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

function faultOf ({ code }: Error & { code?: string }): string {
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return 'has text behind the quote that ends a cell: write a quote as ""'
  if (code === 'INVALID_OPENING_QUOTE') return 'has a quote within a cell: put the cell in quotes, and write it as ""'
  return 'has a quote that is not closed, or is longer than 64 KiB'
}

async function * jsonRows (text: AsyncIterable<string>, fieldsOf: FieldsOf): AsyncGenerator<Row> {
  let rest = ''
  let line = 1
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop()!
    for (const one of lines) yield * jsonRow(one, line++, fieldsOf)
    if (rest.length > MAX_ROW_BYTES) throw new Unreadable(line, 'is too long for one user')
  }
  yield * jsonRow(rest, line, fieldsOf)
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

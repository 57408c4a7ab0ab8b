import { UsageError } from '../../output.js'
import { fieldNamed, type Field } from './fields.js'
import type { Row } from './rows.js'

/** What databases, spreadsheets and statistics programs write for nothing. */
const NOTHING = /^(null|nil|none|\\n|#?n\/?a|nan|<null>|\(null\))$/i

export interface Values {
  /** The text of a field as gatehouse knows it, which may be empty. */
  of: (row: Row, field: Field) => string
  /** How often a text such as NULL stood for nothing. */
  emptyTexts: Map<string, number>
}

/** @param given `FIELD:FROM=TO`, in any case; without FROM for empty cells. @throws {UsageError} */
export function createValues (given: readonly string[]): Values {
  const own = parsed(given)
  const ofFormats = new Map<readonly string[], ReturnType<typeof parsed>>()
  const emptyTexts = new Map<string, number>()

  function of ({ values, format: { values: said = [], needsRole } }: Row, field: Field): string {
    // A roster without a column of roles has empty ones.
    const cell = values[field] ?? (needsRole && field === 'role' ? '' : undefined)
    if (cell === undefined) return ''
    if (said.length > 0 && !ofFormats.has(said)) ofFormats.set(said, parsed(said))
    const key = keyOf(field, cell)
    const text = own.get(key) ?? ofFormats.get(said)?.get(key)
    if (text !== undefined) return text
    if (!NOTHING.test(cell)) return cell
    emptyTexts.set(cell, (emptyTexts.get(cell) ?? 0) + 1)
    return ''
  }

  return { of, emptyTexts }
}

const keyOf = (field: Field, text: string): string => `${field}:${text.trim().toLowerCase()}`

function parsed (given: readonly string[]): Map<string, string> {
  return new Map(given.map((one) => {
    const [, name = '', from = '', to = ''] = /^([^:=]+):([^]*)=([^=]*)$/.exec(one) ?? []
    if (name === '') throw new UsageError(`--value takes FIELD:FROM=TO, not "${one}"`)
    const field = fieldNamed(name, `--value takes FIELD:FROM=TO, and "${one}"`, meant => `${meant}:${from}=${to}`)
    return [keyOf(field, from), to.trim()]
  }))
}

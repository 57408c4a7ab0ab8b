import type { Config } from '../../../config/config.js'
import type { Field } from './fields.js'
import { withoutGuard } from './guards.js'
import type { Row } from './rows.js'
import type { Values } from './values.js'

export interface ImportContext {
  config: Pick<Config, 'bcryptCost'>
  values: Values
  /** Of every row. Without it, the row may name one. */
  source?: string | undefined
  keepPasswords?: boolean | undefined
}

/** What a row says in each field, and what was found wrong with it. */
export class Cells {
  readonly faults: string[] = []

  constructor (readonly row: Row, readonly context: ImportContext) {}

  must (holds: boolean, field: Field, rule: string): void {
    if (!holds) this.faults.push(`${field} ${rule}`)
  }

  /** The text to the byte, which may be empty: an apostrophe may be part of a password. */
  raw (field: Field): string {
    return this.context.values.of(this.row, field)
  }

  /** @returns undefined if the cell is empty */
  text (field: Field): string | undefined {
    return withoutGuard(this.raw(field)) || undefined
  }

  answer (field: Field): boolean | undefined {
    const answer = this.text(field)
    if (answer === undefined) return undefined
    this.must(/^(true|false|yes|no|1|0)$/i.test(answer), field, 'must be true or false')
    return /^(true|yes|1)$/i.test(answer)
  }
}

import { UsageError } from '../../output.js'
import { fieldCalled, fieldNamed, plain, type Field } from './fields.js'
import { formatOf, type Format } from './formats.js'

/** What the columns of a file are. */
export interface Found {
  format: Format
  /** The fields of each column. */
  fields: Field[][]
}

export interface Columns {
  /**
   * @param isHeader whether these are all columns of the file: JSON has others in each line
   * @throws an error that says what is wrong with the columns
   */
  find: (columns: string[], isHeader: boolean) => Found
  /** The columns that were found and mean nothing here. */
  ignored: Set<string>
  /** The columns that --map names and that were not found. */
  unseen: Set<string>
}

/** Names of columns that say the opposite of a field. */
const opposites: Partial<Record<Field, RegExp>> = {
  disabled: /^(?!.*((in|de)activ|inaktiv|block)).*(enabl|activ|aktiv)/i,
  enabled: /disabl|suspend|block|(in|de)activ|inaktiv/i
}

/** The names of columns may have commas and line feeds, and stand in quotes. */
function parseMaps (maps: readonly string[]): Map<string, Field[]> {
  const mapped = new Map<string, Field[]>()
  for (const map of maps) {
    let from = 0
    for (const { 0: end, 1: name = '', index } of map.matchAll(/=([^=,]*)(?=,|$)/g)) {
      const given = map.slice(from, index).trim()
      const column = /^".*"$/s.test(given) ? given.slice(1, -1).replaceAll('""', '"') : given
      from = index + end.length + 1
      if (column === '') throw new UsageError(`--map takes COLUMN=FIELD, not "${map}"`)
      const added = name.trim() === '' ? [] : [fieldOfMap(column, name)]
      mapped.set(column, [...mapped.get(column) ?? [], ...added])
    }
    if (from <= map.length) throw new UsageError(`--map takes COLUMN=FIELD, not "${map}"`)
  }
  return mapped
}

function fieldOfMap (column: string, name: string): Field {
  const field = fieldNamed(name, `--map takes COLUMN=FIELD, and "${column}=${name}"`, meant => `${column}=${meant}`)
  if (!opposites[field]?.test(column)) return field
  const meant = field === 'disabled' ? 'enabled' : 'disabled'
  throw new UsageError(`${column}=${field} says the opposite: did you mean "${column}=${meant}"? ` +
    `Otherwise add --value ${field}:FROM=TO for its values, and rename the column`)
}

/**
 * @param maps `COLUMN=FIELD`, or several with commas. Such a column has no other meaning, even if it is called like a
 * field, and no other column has the meaning of this field. `COLUMN=` ignores a column
 * @param hasSource whether ids of a roster mean something
 * @throws {UsageError}
 */
export function createColumns (maps: readonly string[], hasSource: boolean): Columns {
  const mapped = parseMaps(maps)
  const claimed = new Set([...mapped.values()].flat())
  const ignored = new Set<string>()
  const unseen = new Set(mapped.keys())

  /** The name in --map is the same to the letter, or else but for its signs and capitals. */
  function mapOf (column: string, columns: string[]): Field[] | undefined {
    const name = mapped.has(column)
      ? column
      : [...mapped.keys()].find(name => !columns.includes(name) && plain(name) !== '' && plain(name) === plain(column))
    if (name === undefined) return undefined
    unseen.delete(name)
    return mapped.get(name)
  }

  function find (columns: string[], isHeader: boolean): Found {
    const own = formatOf(columns, !isHeader)
    const known = new Map(Object.entries(own.fields ?? {}).map(([name, own]) => [plain(name), own]))
    const role = columns.find(column => known.get(plain(column))?.includes('role'))
    const format = role !== undefined && mapOf(role, columns) ? { ...own, needsRole: false } : own
    // A file of an export names the source of each id.
    const hasIds = hasSource || columns.includes('source')
    const means = (field: Field): boolean =>
      hasIds ? field !== 'source' || !hasSource : !['source', 'sourcedId', 'disabledBySource'].includes(field)
    const found = columns.map((column) => {
      const given = mapOf(column, columns)
      // A member of an object in JSON only has the meaning that --map gives it.
      const own = isHeader || !column.includes('.') ? fieldCalled(column) : undefined
      const usual = known.get(plain(column)) ?? (own ? [own] : [])
      return (given ?? usual.filter(field => !claimed.has(field))).filter(means)
    })
    if (!found.flat().includes('username') && format.login !== undefined) {
      const i = columns.indexOf(format.login)
      if (i >= 0 && !mapOf(columns[i]!, columns)) found[i] = ['username', ...found[i]!]
    }
    mustBeClear(columns, found, isHeader)
    columns.forEach((column, i) => { if (found[i]!.length === 0) ignored.add(column.split('.')[0]!) })
    return { format, fields: found }
  }

  function mustBeClear (columns: string[], found: Field[][], isHeader: boolean): void {
    const all = found.flat()
    const twice = all.find((field, i) => all.indexOf(field) !== i)
    if (twice !== undefined) throw new Error(`has two columns for ${twice}: say which by --map COLUMN=${twice}`)
    const [missing] = unseen
    if (isHeader && missing !== undefined) throw new Error(`has no column ${missing}, which --map names`)
    if (isHeader && !all.includes('username')) {
      // It may be no header, but an account with its password, so only what is a name of ours is quoted.
      const email = columns[found.findIndex(own => own.includes('email'))]
      const hint = email === undefined ? '' : `, or if people log in with it, --map ${email}=username,${email}=email`
      throw new Error(`is the header, and has no column username: say which it is by --map COLUMN=username${hint}`)
    }
    if (isHeader && hasSource && !all.includes('sourcedId')) {
      throw new Error('has no column sourcedId, which --source needs: say which it is by --map COLUMN=sourcedId')
    }
  }

  return { find, ignored, unseen }
}

import { ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils'

const [FIRST, LAST] = ['0001-01-01T00:00:00+00:00', '9999-12-31T23:59:59.999+00:00']

/**
 * PostgreSQL knows times that a Date does not: infinity, years before Christ and beyond 9999. One of them would end the
 * query of all rows, so each is the first or the last time that has four digits.
 */
export function withTimesOfDates (result: SqlResultSet): SqlResultSet {
  for (const [i, type] of result.columnTypes.entries()) {
    if (type !== ColumnTypeEnum.DateTime) continue
    for (const row of result.rows) {
      const time = row[i]
      if (typeof time !== 'string' || /^\d{4}-.*\d$/.test(time)) continue
      row[i] = time.startsWith('-') || time.endsWith('BC') ? FIRST : LAST
    }
  }
  return result
}

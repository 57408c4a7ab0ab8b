/**
 * A spreadsheet runs a cell that begins like a formula, even one that a user chose. So exports put an apostrophe in
 * front, which spreadsheets show and imports take away. It also stands behind semicolons, tabs and line ends within a
 * cell, because a spreadsheet may begin another cell there. A number or a date that a spreadsheet would write in its
 * own way has one, too.
 */
export const withGuard = (text: string): string =>
  NUMBER.test(text) ? `'${text}` : text.replace(FORMULA, '\'')

export const withoutGuard = (text: string): string =>
  text.startsWith('\'') && NUMBER.test(text) ? text.slice(1) : text.replace(GUARDED_FORMULA, '')

const FORMULA = /(?<=^|[;\t\r\n])(?="*'*[=+\-@\t\r])/g
const GUARDED_FORMULA = /(?<=^|[;\t\r\n])'(?="*'*[=+\-@\t\r])/g
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'
const NUMBER = new RegExp('^(\'*)(0\\d+|\\d{12,}|[\\d,]*\\d[.,]\\d*|[.,]\\d+|\\d[\\d.]*e[+-]?\\d+|' +
  `\\d{1,4}[-/.]\\d{1,2}([-/.]\\d{1,4})?|\\d{1,4}[-/.]?${MONTH}|${MONTH}[-/.]?\\d{1,4})$`, 'i')

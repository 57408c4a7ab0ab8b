import type { Bar } from './chart.js'

/** A bound that a number should keep to, and what this run found. */
export interface Aim {
  text: string
  found: number
  met: boolean
}

/** The numbers are compared as they are printed, because a third digit is noise. */
export const atMost = (text: string, limit: number, found: number): Aim =>
  ({ text: `${text}: at most ${limit}`, found, met: Number(fixed(found)) <= limit })

export const atLeast = (text: string, limit: number, found: number): Aim =>
  ({ text: `${text}: at least ${limit}`, found, met: Number(fixed(found)) >= limit })

export interface Part {
  title: string
  /** What a chart shows of it, with its unit. */
  chart?: { unit: string, bars: Bar[] }
  /** What was done, in a sentence or two. */
  note: string
  header: string[]
  rows: string[][]
  aims: Aim[]
}

export function printPart ({ title, note, header, rows, aims }: Part): void {
  print(`\n${title}\n${note}\n\n${table([header, ...rows])}\n`)
  for (const aim of aims) print(`${aim.met ? 'met   ' : 'MISSED'}  ${aim.text}; this run: ${fixed(aim.found)}\n`)
}

export function print (text: string): void {
  process.stdout.write(text)
}

/** Columns two spaces apart, numbers to the right. */
function table (rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows.map(row => row.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
  ).join('  ') + '\n').join('')
}

export function median (numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of the ratios of all rounds. Noise that lasts longer than a round then affects both sides of a ratio. */
export function medianRatio (numerators: number[], denominators: number[]): number {
  return median(numerators.map((numerator, round) => numerator / denominators[round]!))
}

/** The same as `medianRatio`, for differences. */
export function medianDifference (numbers: number[], subtrahends: number[]): number {
  return median(numbers.map((number, round) => number - subtrahends[round]!))
}

export const fixed = (value: number): string => Number.isInteger(value) ? String(value) : value.toFixed(2)

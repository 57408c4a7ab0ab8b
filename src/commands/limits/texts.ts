import { limitText } from '../../limiter/limits/policies.js'
import type { LimitRow } from '../../limiter/limits/rows.js'
import type { Row } from '../../limiter/limits/schema.js'

export function textOfRow (row: LimitRow): string {
  const { name, network } = row
  return `${name}${network === 'any' ? '' : ` for ${network}`}: ${textOfLimit(row)}`
}

export function textOfLimit ({ mode, candidate, ...numbers }: Omit<LimitRow, 'source'>): string {
  if (mode === 'exempt' || mode === 'block') return mode
  const modeText = mode === 'enforce' ? '' : ` (${mode})`
  return textOf(numbers as Row) + modeText + (candidate ? `; tried: ${textOf(candidate)}` : '')
}

export const textOf = ({ capacity, refill, period, address }: Row): string =>
  limitText({ capacity, refill, period }) + (address ? ` for each user; ${textOf(address)} shared` : '')

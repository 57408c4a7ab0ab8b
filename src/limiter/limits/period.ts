/* Times as limits name them: 1 to 999 of a unit, such as `90s` or `1h`. */

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @returns milliseconds, or undefined for a text that is not 1 to 999 of a unit, or is more than 30 days */
export function parsePeriod (text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,2})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * unitMs[unit ?? '']!
  return ms <= 30 * unitMs.d! ? ms : undefined
}

/** The inverse: `60000` becomes `1m`. */
export function formatPeriod (ms: number): string {
  const unit = ['d', 'h', 'm', 's'].find(unit => ms % unitMs[unit]! === 0)
  return unit ? `${ms / unitMs[unit]!}${unit}` : `${ms}ms`
}

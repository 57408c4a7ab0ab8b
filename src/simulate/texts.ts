export const number = (value: number): string => value.toLocaleString('en-US')

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${(part / whole * 100).toFixed(2)} %`

/** `2026-11-22 23:59` of ISO 8601. */
export const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

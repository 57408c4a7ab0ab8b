const VERB = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i
const TABLE = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:"?\w+"?\.)?"?(\w+)"?/i

/** A short summary of a query: its first verb and its first table. The text contains no parameters. */
export function querySummary (sql: string): string {
  const verb = VERB.exec(sql)?.[1]?.toUpperCase()
  const table = TABLE.exec(sql)?.[1]
  return [verb ?? /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase(), table].filter(Boolean).join(' ') || 'query'
}

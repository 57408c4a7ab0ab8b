const VERB = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i
const TABLE = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:"?\w+"?\.)?"?(\w+)"?/i

/** What a query does, in few words: its first verb and its first table. Its parameters are not in its text. */
export function summaryOf (sql: string): string {
  const verb = VERB.exec(sql)?.[1]?.toUpperCase()
  const table = TABLE.exec(sql)?.[1]
  return [verb ?? /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase(), table].filter(Boolean).join(' ') || 'query'
}

/** A name that fits in one line. @throws for another one */
export function parseName (text: string): string {
  if (text.length <= 64 && !/\p{Cc}/u.test(text)) return text
  throw new Error('must be one line of at most 64 characters')
}

/** Keys with braces would all be in one slot of a cluster. @throws for another one */
export function parsePrefix (text: string): string {
  if (/^[\w.:-]{0,40}$/.test(text)) return text
  throw new Error('must be at most 40 letters, digits, dots, colons, hyphens and underscores')
}

/** The URL of a page. A link with another scheme could run a script. @throws for another one */
export function parsePage (text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new Error('must be a URL such as https://erp.school.example/login')
}

/** A placeholder such as `*` is not allowed, because origins are compared literally. */
export function isOrigin (text: string | undefined): text is string {
  if (text === undefined || text.includes('*') || !URL.canParse(text)) return false
  return /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
}

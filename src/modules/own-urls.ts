import { portOf } from '../base/url.js'

type Headers = Record<string, string | string[]>

const ABSOLUTE = /^(?:https?:)?\/\//i
/** `Refresh: 5; url=http://student:8080/`: what stands around the URL. */
const REFRESH = /^(\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?)(.*?)(["']?\s*)$/i

/**
 * A module that builds URLs of its own from the `Host` that it gets may lead clients to its inner address, which they
 * cannot reach, or to http where they use https. Such a URL loses its origin: the client completes it with the public
 * one, as it does with every relative URL.
 *
 * @param host what the module got in `Host`
 */
export function hideInnerOrigin (headers: Headers, host: string): void {
  for (const name of ['location', 'content-location']) {
    const url = headers[name]
    if (typeof url === 'string') headers[name] = withoutOrigin(url, host)
  }
  const { refresh } = headers
  if (typeof refresh === 'string') {
    headers.refresh = refresh.replace(REFRESH, (_, before: string, url: string, after: string) =>
      `${before}${withoutOrigin(url, host)}${after}`)
  }
}

function withoutOrigin (text: string, host: string): string {
  const inner = `http://${host}`
  // Each character of a header is one byte. A URL would take it for the letter of that number.
  const plain = text.replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  if (!ABSOLUTE.test(plain) || !URL.canParse(inner) || !URL.canParse(plain, inner)) return text
  const url = new URL(plain, inner)
  if (!isSameServer(url, new URL(inner))) return text
  // `//x` alone would name another host.
  return `${url.pathname.startsWith('//') ? '/.' : ''}${url.pathname}${url.search}${url.hash}`
}

/** The scheme does not count: a module may believe `X-Forwarded-Proto`, or not. */
const isSameServer = (a: URL, b: URL): boolean =>
  a.hostname === b.hostname && (a.port === b.port || portOf(a) === portOf(b))

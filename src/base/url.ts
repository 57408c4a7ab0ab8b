/** The parts of `scheme://user:password@host:port/path?query`. All but the query are decoded. */
export interface ServerUrl {
  scheme: string
  username: string
  password: string
  /** An IPv6 address has no brackets here. */
  host: string
  port: number | undefined
  path: string
  query: URLSearchParams
}

/**
 * Reads the URL of a server. Node's `URL` would take an unescaped `#` or `/` in a password for the end of the host, and
 * its error quotes the password. The errors here quote nothing of the text.
 *
 * @param form what a correct URL looks like
 * @throws {RangeError}
 */
export function readUrl (text: string, schemes: readonly string[], form: string): ServerUrl {
  const [, userinfo = ''] = /:\/\/(.*)@/s.exec(text) ?? []
  const [stray] = /[#/?@\s]/.exec(userinfo) ?? []
  if (stray !== undefined) {
    const shown = /\s/.test(stray) ? 'space' : stray
    throw new RangeError(`has a ${shown} in its user or password: write it as ${encodeURIComponent(stray)}`)
  }
  if (/\s/.test(text)) throw new RangeError('has a space: write it as %20')
  if (text.includes('#')) throw new RangeError('has a # that belongs to no part of it: write it as %23')
  const url = URL.canParse(text) ? new URL(text) : undefined
  const [, scheme = ''] = /^(.*):$/.exec(url?.protocol ?? '') ?? []
  if (!url || !schemes.includes(scheme) || !/^([\w.-]+|\[.*\])$/.test(url.hostname)) {
    throw new RangeError(`must look like ${form}. An IPv6 address stands in brackets`)
  }
  return {
    scheme,
    username: decode(url.username),
    password: decode(url.password),
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    path: decode(url.pathname.slice(1)),
    query: url.searchParams
  }
}

function decode (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('has a % that encodes nothing: write % as %25')
  }
}

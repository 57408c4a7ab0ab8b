/**
 * Refuses a text that `URL` silently reads as something else. The clients of all servers parse their URL with it: after
 * an unescaped `#`, `/` or `?` in a password, they would take the username for the host. Errors of `URL` quote the
 * password. The errors here quote nothing of the text.
 *
 * @param form what a correct URL looks like
 * @throws {RangeError}
 */
export function mustBeUrl (text: string, schemes: readonly string[], form: string): void {
  if (!schemes.some(scheme => text.startsWith(`${scheme}://`))) throw new RangeError(`must look like ${form}`)
  const [, stray] = /:\/\/.*?([\s#]|[/?@](?=.*@))/s.exec(text) ?? []
  if (stray !== undefined) {
    const sign = /\s/.test(stray) ? 'space' : stray
    throw new RangeError(`has a ${sign} where none can be: in a user or password write it as ` +
      encodeURIComponent(stray))
  }
  try {
    decodeURIComponent(text)
  } catch {
    throw new RangeError('has a % that encodes nothing: write % as %25')
  }
}

/**
 * Reads the URL of a server.
 *
 * @returns its parts. All but the query are decoded, and an IPv6 address has no brackets
 * @throws {RangeError} as `mustBeUrl`
 */
export function parseServerUrl (text: string, schemes: readonly string[], form: string) {
  mustBeUrl(text, schemes, form)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^([\w.-]+|\[.*\])$/.test(url.hostname)) {
    throw new RangeError(`must look like ${form}. An IPv6 address stands in brackets`)
  }
  return {
    scheme: url.protocol.slice(0, -1),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    path: decodeURIComponent(url.pathname.slice(1)),
    query: url.searchParams
  }
}

/** The port of an http or https URL, which may leave the default one out. */
export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): string =>
  port || (protocol === 'https:' ? '443' : '80')

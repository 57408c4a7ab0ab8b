import type { IncomingHttpHeaders } from 'node:http'

/** Headers that concern only one connection (RFC 9110, 7.6.1), and headers that gatehouse handles itself. */
const hopByHop = new Set([
  'connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings',
  'proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info'
])

/**
 * Headers that a module trusts because only gatehouse sets them. A hyphen here stands for any character that is not a
 * letter or digit: see `isReserved`.
 */
export const reserved: ReadonlySet<string> = new Set([
  'forwarded', 'x-request-id', 'x-real-ip', 'client-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip',
  'cf-connecting-ip', 'fastly-client-ip', 'x-rewrite-url', 'script-name', 'x-script-name', 'path-info', 'x-host',
  'x-scheme', 'x-url-scheme', 'front-end-https', 'proxy', 'remote-user', 'x-remote-user', 'x-http-method',
  'x-http-method-override', 'x-method-override'
])
/**
 * What proxies obey in an answer: fetch another path (nginx, LiteSpeed), send a file (Apache, lighttpd), or ask another
 * server (h2o, Perlbal). Frameworks read some of them in a request, and then answer with such an order.
 */
export const orderPrefixes = ['x-accel-', 'x-sendfile', 'x-lighttpd-', 'x-litespeed-', 'x-reproxy-']
export const reservedPrefixes = ['x-user-', 'x-forwarded-', 'x-original-', ...orderPrefixes]

/** What browsers apply to the whole origin, which modules share with gatehouse. */
const ofTheOrigin = new Set([
  'accept-ch', 'alt-svc', 'clear-site-data', 'expect-ct', 'nel', 'origin-agent-cluster', 'public-key-pins', 'report-to',
  'service-worker-allowed', 'strict-transport-security'
])

/** The user as their token describes them. */
interface User { sub: string, name?: string, role: string, userType: string }

/** What gatehouse adds to a request for its module. */
interface Facts {
  requestId: string
  client: string
  protocol: string
  /** The host under which the client knows the service; undefined if a client of HTTP/1.0 does not say it. */
  host: string | undefined
  /** Whether the module gets it in `Host`, too, instead of its own. */
  asHost: boolean
  /** Undefined for a request without a checked token. */
  user: User | undefined
  /** Undefined if the module gets no token. */
  authorization: string | undefined
}

/**
 * The headers that a module gets: those that gatehouse sets, and the client's without the reserved ones. Ours stand
 * first, because many servers drop the lines after some number: Node's after about a thousand.
 */
export function headersToModule (
  given: IncomingHttpHeaders, { requestId, client, protocol, host, asHost, user, authorization }: Facts
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = user ? identityHeaders(user) : {}
  headers['x-request-id'] = requestId
  headers['x-forwarded-for'] = client
  headers['x-forwarded-proto'] = protocol
  if (host !== undefined) headers['x-forwarded-host'] = host
  if (host !== undefined && asHost) headers.host = host
  if (authorization !== undefined) headers.authorization = authorization
  const listed = listedIn(given.connection)
  for (const name in given) {
    if (isPassedOn(name) && !listed.includes(name)) headers[name] = given[name]!
  }
  return headers
}

/** @returns a transfer coding that Node does not remove: what it makes of the body would be passed on unlabelled */
export function unremovedCoding ({ 'transfer-encoding': coding }: IncomingHttpHeaders): string | undefined {
  return coding === undefined || String(coding).toLowerCase() === 'chunked' ? undefined : String(coding)
}

/** The headers that tell a module who the user is. */
export function identityHeaders ({ sub, name, role, userType }: User): Record<string, string> {
  return {
    'x-user-id': sub,
    ...name !== undefined && { 'x-user-name': encoded(name) },
    'x-user-role': encoded(role),
    'x-user-type': encoded(userType)
  }
}

/**
 * The headers of a module's answer that its client gets, by names in lower case. The CORS headers and the request's id
 * are left out, because gatehouse sets them, and so are cookies with a name of gatehouse's. A browser sends a cookie
 * without a name as its value alone.
 */
export function headersToClient (given: IncomingHttpHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  const listed = listedIn([given.connection ?? []].flat().join())
  for (const name in given) {
    const isOurs = name === 'x-request-id' || name.startsWith('access-control-') || ofTheOrigin.has(name) ||
      orderPrefixes.some(prefix => name.startsWith(prefix))
    if (!isOurs && !hopByHop.has(name) && !listed.includes(name)) headers[name] = given[name]!
  }
  const cookies = headers['set-cookie']
  if (cookies !== undefined) {
    headers['set-cookie'] = [cookies].flat().filter(cookie => !/^[\s=]*(__Host-|__Secure-)?gatehouse-/i.test(cookie))
  }
  return headers
}

const isPassedOn = (name: string): boolean =>
  !hopByHop.has(name) && name !== 'host' && name !== 'expect' && name !== 'authorization' && !isReserved(name)

/** CGI, and servers derived from it, read `X_User_Id` and `X.User.Id` as `X-User-Id`. */
function isReserved (name: string): boolean {
  const spelling = /[^a-z\d-]/.test(name) ? name.replace(/[^a-z\d]/g, '-') : name
  return reserved.has(spelling) || reservedPrefixes.some(prefix => spelling.startsWith(prefix))
}

/** The names that a Connection header makes hop-by-hop as well. */
function listedIn (connection: string | undefined): string[] {
  if (!connection || connection === 'keep-alive' || connection === 'close') return []
  return connection.toLowerCase().split(',').map(name => name.trim())
}

/** Visible ASCII as it is; `%` and all else as percent-encoded UTF-8, because a header has no character set. */
function encoded (text: string): string {
  if (/^[\x21-\x24\x26-\x7e]*$/.test(text)) return text
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x24\x26-\x7e]/gu, encodeURIComponent)
}

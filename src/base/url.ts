import { isIPv6 } from 'node:net'

/**
 * The parts of `scheme://user:password@host:port/path?query`. User and password are decoded. The rest is left as it is
 * written.
 */
export interface UrlParts {
  scheme: string
  username: string
  password: string
  /** One `host:port`, or several with commas between them: see `parseHost`. */
  hosts: string
  path: string
  query: string | undefined
}

/**
 * Parses the URL of a server. Node's `URL` would guess what an unescaped `#` or `/` in a password means, and its error
 * quotes the password. This error names the character and its escape, but quotes no part of the text.
 *
 * @param form what a correct URL looks like
 * @throws {RangeError}
 */
export function splitUrl (text: string, form: string): UrlParts {
  const [, scheme, rest] = /^([a-z+]+):\/\/(.*)$/s.exec(text) ?? []
  if (scheme === undefined || rest === undefined) throw new RangeError(`must look like ${form}`)
  const [userinfo, location = userinfo!, ...more] = rest.split('@')
  if (more.length > 0) throw new RangeError('has more than one @: write @ as %40, except for the one before the host')
  const [username, password] = location === userinfo && !rest.includes('@') ? ['', ''] : readUserinfo(userinfo!)

  if (location.includes('#')) throw new RangeError('has a # that belongs to no part of it: write # as %23')
  const [, hosts, path = '', query] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(location)!
  if (/\s/.test(path + (query ?? ''))) throw new RangeError('has a space: write it as %20')
  return { scheme, username, password, hosts: hosts!, path, query }
}

function readUserinfo (text: string): [username: string, password: string] {
  const [stray] = /[#/?\s]/.exec(text) ?? []
  if (stray !== undefined) {
    const shown = /\s/.test(stray) ? 'space' : stray
    throw new RangeError(`has a ${shown} in its user or password: write it as ${encodeURIComponent(stray)}`)
  }
  const [, username, password] = /^([^:]*):?(.*)$/.exec(text)!
  return [decode(username!), decode(password!)]
}

/** @throws {RangeError} */
export function decode (text: string): string {
  let decoded
  try {
    decoded = decodeURIComponent(text)
  } catch {
    throw new RangeError('has a % that encodes nothing: write % as %25')
  }
  if (decoded.includes('\0')) throw new RangeError('has a %00, which no server takes')
  return decoded
}

/** @throws {RangeError} a text that is not `host`, `host:port` or `[IPv6]:port` */
export function parseHost (text: string, defaultPort: number): { host: string, port: number } {
  const [, bracketed, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(text) ?? []
  const host = bracketed ?? name
  if (host === undefined || port?.includes(':')) {
    throw new RangeError('has an IPv6 address without brackets: write [::1] or [::1]:port')
  }
  if (bracketed !== undefined && !isIPv6(bracketed)) {
    throw new RangeError('has brackets around what is not an IPv6 address')
  }
  if (name !== undefined && !/^[\w.-]+$/.test(name)) {
    throw new RangeError('has no host name, or one with a character that no host name has')
  }
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65535)) {
    throw new RangeError('has a port that is not a number from 1 to 65535')
  }
  return { host, port: Number(port ?? defaultPort) }
}

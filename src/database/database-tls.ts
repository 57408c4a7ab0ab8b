import { X509Certificate } from 'node:crypto'
import { createSecureContext, type ConnectionOptions } from 'node:tls'
import { parse } from 'pg-connection-string'

type TlsParameters = Partial<Record<
  'ssl' | 'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey' | 'sslnegotiation' | 'channel_binding', string
>>

/** Other words for a mode of libpq, in `sslmode` and `ssl`. */
const MODES: Record<string, string> = {
  'no-verify': 'require', true: 'verify-full', 1: 'verify-full', false: 'disable', 0: 'disable'
}

/**
 * As in libpq, but without the modes that fall back to plain text:
 * - `disable`, the default: no TLS.
 * - `require`: TLS without a check of the certificate; with `sslrootcert`, the same as `verify-ca`.
 * - `verify-ca`: an authority in `sslrootcert` signed the certificate, for any host.
 * - `verify-full`: the certificate is also for this host; without `sslrootcert`, or with `system`, any authority that
 *   Node trusts will do.
 *
 * With `channel_binding=require` the certificate is checked under `require` too, as by `verify-full`. The driver binds
 * the password to the connection where the server offers it, but gives it to a server that asks for it in clear.
 */
export function readTls (text: string, parameters: TlsParameters): ConnectionOptions | false {
  const { ssl, sslmode = ssl ?? 'disable', sslrootcert, sslcert, sslkey, sslnegotiation } = parameters
  const bound = parameters.channel_binding === 'require'
  const asked = MODES[sslmode] ?? sslmode
  const mode = bound && asked === 'require' && sslrootcert === undefined ? 'verify-full' : asked
  if (!['disable', 'require', 'verify-ca', 'verify-full'].includes(mode)) {
    throw new RangeError('sslmode must be disable, require, verify-ca or verify-full: no other is safe. For TLS ' +
      'write sslmode=require, or better verify-full')
  }
  if (mode === 'disable' && (sslrootcert ?? sslcert ?? sslkey) !== undefined) {
    throw new RangeError('has a certificate or key, but no sslmode: add sslmode=verify-full, verify-ca or require')
  }
  if (bound && mode === 'disable') {
    throw new RangeError('has channel_binding=require, which needs sslmode=verify-full, verify-ca or require')
  }
  if (sslrootcert === 'system' && mode !== 'verify-full') {
    throw new RangeError('has sslrootcert=system, which needs sslmode=verify-full')
  }
  if (sslnegotiation === 'direct' && mode === 'disable') {
    throw new RangeError('has sslnegotiation=direct, which needs sslmode=require or verify-full')
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new RangeError('sslcert and sslkey belong together: the client\'s certificate and its key. The server\'s ' +
      'authority is sslrootcert')
  }
  const files = Object.entries({ sslrootcert: sslrootcert === 'system' ? undefined : sslrootcert, sslcert, sslkey })
    .flatMap(([name, file]) => file === undefined ? [] : [`${name}=${encodeURIComponent(file)}`])
  return tlsOf(`${text.replace(/\?.*/s, '')}?${[`sslmode=${mode}`, ...files].join('&')}`)
}

function tlsOf (url: string): ConnectionOptions | false {
  try {
    const { ssl } = parse(url, { useLibpqCompat: true })
    if (typeof ssl !== 'object') return false
    createSecureContext(ssl as ConnectionOptions)
    // Node silently ignores a file without a certificate.
    const certificates = [ssl.ca, ssl.cert].filter(text => typeof text === 'string')
    return certificates.every(text => new X509Certificate(text)) && ssl as ConnectionOptions
  } catch (error) {
    throw new RangeError(`TLS cannot be used: ${(error as Error).message}`)
  }
}

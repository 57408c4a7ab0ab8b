import { encode } from 'uqr'
import { escapeHtml } from '../base/html.js'
import { base32 } from './codes.js'
import type { Enrolment } from './enrolment.js'

/** Readers of QR codes fail at longer ones, and names in Hindi take nine bytes a letter. */
const MAX_URI_BYTES = 230
/** The page is at most this wide on a phone, in pixels. */
const MAX_WIDTH = 352
/** The quiet zone that the standard demands, in modules. */
const BORDER = 4

/**
 * The address that authenticators read. Algorithm, digits and period are the usual ones, which some apps take in any
 * case: so the address does not name them.
 */
export function otpauthUri ({ username, secret, generation }: Enrolment, appName: string): string {
  const issuer = encodeURIComponent(appName.replaceAll(':', ''))
  // An app replaces an entry of the same name, whose secret may still be the one in use.
  const account = encodeURIComponent(generation > 1 ? `${username} (${generation})` : username)
  const query = `?secret=${base32(secret)}&issuer=${issuer}`
  const uri = `otpauth://totp/${issuer}:${account}${query}`
  return uri.length <= MAX_URI_BYTES ? uri : `otpauth://totp/${account}${query}`
}

/**
 * A QR code as SVG for HTML. Readers need whole pixels for its modules, and black on white, also in dark mode.
 */
export function picture (text: string, label: string): string {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const width = size * Math.max(3, Math.floor(MAX_WIDTH / size))
  const rows = data.map((row, y) => row.map((black, x) => black ? `M${x} ${y}h1v1h-1z` : '').join('')).join('')
  return `<svg role="img" aria-label="${escapeHtml(label)}" width="${width}" height="${width}"
  viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/>
<path fill="#000" d="${rows}"/>
</svg>`
}

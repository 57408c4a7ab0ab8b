import { STATUS_CODES } from 'node:http'
import type { Conversation } from './conversation.js'

interface Answer {
  status: number
  reason: string
  headers: Record<string, string>
  /** Undefined where the answer may be that of a HEAD, and has none. */
  body: string | undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** The contract has it without a full stop. */
const FAILED_LOGIN = 'Invalid username or password'
const additions: Record<number, string> = { 400: 'details', 429: 'rateLimitInfo' }

/** @returns what is wrong with the bytes that came back; an answer that was cut off is not judged */
export function judge (received: string, { asksForHead }: Conversation): string | undefined {
  for (let rest = received; rest !== '';) {
    const read = readAnswer(rest, asksForHead)
    if (read === 'cut off') return undefined
    if (read === 'not HTTP') return `what came is no answer: ${JSON.stringify(rest.slice(0, 200))}`
    const fault = faultOf(read.answer)
    if (fault !== undefined) return `${fault}: ${JSON.stringify(rest.slice(0, 1000))}`
    rest = read.rest
  }
  return undefined
}

function readAnswer (text: string, asksForHead: boolean): { answer: Answer, rest: string } | 'cut off' | 'not HTTP' {
  if (!text.startsWith('HTTP/1.1 '.slice(0, text.length))) return 'not HTTP'
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return 'cut off'
  const [statusLine, ...lines] = text.slice(0, end).split('\r\n')
  const [, status, reason] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine!) ?? []
  if (status === undefined) return 'not HTTP'
  const headers = Object.fromEntries(lines.map(line =>
    [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]))
  // The 417 is Node's own: it has one empty chunk.
  const after = text.slice(end + 4).replace(status === '417' ? /^0\r\n\r\n/ : '', '')
  const length = Number(headers['content-length'] ?? 0)
  // A body that is not there belongs to a HEAD; one that has begun is a body.
  const isBodyless = length > 0 && asksForHead && (after === '' || after.startsWith('HTTP/1.1 '))
  if (!isBodyless && after.length < length) return 'cut off'
  const body = isBodyless ? undefined : after.slice(0, length)
  return { answer: { status: Number(status), reason: reason!, headers, body }, rest: after.slice(body?.length ?? 0) }
}

function faultOf ({ status, reason, headers, body }: Answer): string | undefined {
  if (status === 100 || status === 417) return undefined
  if (STATUS_CODES[status] !== reason) return 'the reason phrase is not that of the status'
  if (!UUID.test(headers['x-request-id'] ?? '')) return 'no X-Request-Id'
  if (headers['cache-control'] !== 'no-store' && status !== 200) return 'may be stored'
  if (status === 204) return body === '' ? undefined : 'a 204 with a body'
  if (status === 200 || status === 201) {
    return body === undefined || isKnownSuccess(status, headers, body) ? undefined : 'a success of no known shape'
  }
  if (status < 400 || (status >= 500 && status !== 503)) return 'a status that should not be'
  if (status === 503 && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return 'a 503 without Retry-After'
  if (status === 429 && headers['retry-after'] === undefined) return 'a 429 without Retry-After'
  if (headers['content-type'] !== 'application/json; charset=utf-8') return 'an error that is not JSON'
  return body === undefined ? undefined : faultOfError(status, body)
}

function isKnownSuccess (status: number, { 'content-type': type = '' }: Record<string, string>, text: string): boolean {
  if (type.startsWith('text/html')) return text.startsWith('<!doctype html>')
  if (type.startsWith('text/plain')) return text.startsWith('# HELP ')
  const body = JSON.parse(text) as Record<string, unknown>
  const isData = body.success === true && body.status === status && typeof body.data === 'object'
  return isData || Array.isArray(body.keys) || body.status === 'alive' || body.status === 'ready'
}

function faultOfError (status: number, text: string): string | undefined {
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text) as Record<string, unknown>
  } catch {
    return 'an error whose JSON is broken'
  }
  const keys = Object.keys(body).filter(key => key !== additions[status]).join()
  if (keys !== 'timestamp,status,error,message,path') return 'an error of another shape'
  if (body.status !== status || body.error !== STATUS_CODES[status]) return 'an error that says another status'
  if (!TIMESTAMP.test(String(body.timestamp))) return 'an error without a timestamp'
  if (!/^[A-Z][^\n]*\.$/.test(String(body.message)) && body.message !== FAILED_LOGIN) {
    return 'a message that is not a sentence'
  }
  return typeof body.path === 'string' && !/[?#]/.test(body.path) ? undefined : 'a path with a query'
}

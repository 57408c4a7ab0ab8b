import { generator } from '../fixtures/random.js'

/** What a client does on one connection, in this order. */
export type Step =
  | { send: Buffer }
  | { pauseMs: number }
  | { halfClose: true }
  | { reset: true }

export interface Conversation {
  seed: number
  listener: 'app' | 'ops'
  steps: Step[]
  /** An answer may have no body, because a request was, or may have been, a HEAD. */
  asksForHead: boolean
}

type Random = () => number

/** The same conversation for the same seed. */
export function createConversation (seed: number): Conversation {
  const random = generator(Math.imul(seed, 0x9e3779b1))
  const listener = chance(random, 0.8) ? 'app' : 'ops'
  const requests = Array.from({ length: 1 + integer(random, 4) }, () => createRequest(random))
  const bytes = damage(random, Buffer.from(requests.join(''), 'latin1'))
  return { seed, listener, steps: createSteps(random, bytes), asksForHead: /HEAD/.test(bytes.toString('latin1')) }
}

/** Bytes in pieces, with pauses, and with an end of some kind at any moment. */
function createSteps (random: Random, bytes: Buffer): Step[] {
  const steps: Step[] = []
  const pieces = 1 + integer(random, 4)
  for (let from = 0, piece = 1; piece <= pieces; piece++) {
    const to = piece === pieces ? bytes.length : from + integer(random, bytes.length - from + 1)
    if (to > from) steps.push({ send: bytes.subarray(from, to) })
    if (chance(random, 0.4)) steps.push({ pauseMs: integer(random, 40) })
    from = to
  }
  // Past every time limit of the service.
  if (chance(random, 0.01)) steps.push({ pauseMs: 12_000 })
  else steps.push({ pauseMs: chance(random, 0.3) ? integer(random, 5) : integer(random, 300) })
  if (chance(random, 0.3)) steps.splice(integer(random, steps.length + 1), 0, { halfClose: true })
  if (chance(random, 0.35)) steps.splice(integer(random, steps.length + 1), Infinity, { reset: true })
  return steps
}

const methods = [
  'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE',
  'CONNECT', 'CONNECT',
  'PROPFIND', 'M-SEARCH', 'QUERY', 'PRI', 'DESCRIBE', 'BREW', 'get', ''
]

const targets = [
  '/api/auth/login', '/api/auth/login', '/api/auth/me', '/auth/UserCreation', '/api/auth/UserCreation',
  '/auth/forgot-password',
  '/api/auth/resetPassword', '/reset-password', '/.well-known/jwks.json', '/livez', '/readyz', '/metrics', '/', '*',
  '/api/%6cogin',
  '/%zz', '/undecodable', '/api/%00', '//x/../y', '/api/nowhere?a=b#c',
  'http://other.example/api/auth/me?x', 'http://[/api/auth/me', 'http://x/a#b',
  '/\xff\xfe', 'x:1', '127.0.0.1:22'
]

const headerLines = [
  'Connection: close', 'Connection: keep-alive', 'Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'Expect: 100-continue', 'Expect: a-miracle', 'Content-Type: application/json',
  'Content-Type: application/json; charset=latin1', 'Content-Type: text/plain',
  'Authorization: Bearer x.y.z', 'Authorization: Basic eDp5', 'Origin: https://evil.example', 'Origin: null',
  'Access-Control-Request-Method: POST',
  'Access-Control-Request-Headers: x-evil', 'X-Forwarded-For: 10.0.0.1',
  'X-Request-Id: 01890a5d-ac96-774b-bcce-b302099a8057', 'X-Request-Id: evil',
  'Host: twice.example', 'Cookie: a=b', 'X A: space in the name', 'X-A : space before the colon', ' folded', 'no colon',
  'X-Nul: \0', 'X-High: \xff', 'TE: trailers', 'Trailer: X-T',
  'Content-Encoding: gzip', 'Range: bytes=0-1', 'If-None-Match: *', ': no name', 'X-Empty:'
]

const protocols = [
  'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/9.9',
  'HTTP/2.0', 'RTSP/1.0', 'ICE/1.0', ''
]

function createRequest (random: Random): string {
  const method = pick(random, methods)
  const post = method === 'POST' || chance(random, 0.1)
  const lines = [`${method} ${createTarget(random, method)} ${pick(random, protocols)}`]
  if (chance(random, 0.9)) lines.push('Host: 127.0.0.1')
  if (post && chance(random, 0.8)) lines.push('Content-Type: application/json')
  while (chance(random, 0.4)) lines.push(pick(random, headerLines))
  if (chance(random, 0.02)) lines.push(`X-Large: ${'a'.repeat(integer(random, 40_000))}`)
  if (chance(random, 0.01)) lines.push(...Array.from({ length: integer(random, 4000) }, (_, i) => `X-${i}: a`))
  const [framing, body] = post ? createBody(random) : [[], '']
  return [...lines, ...framing, '', body].join(chance(random, 0.03) ? '\n' : '\r\n')
}

function createTarget (random: Random, method: string): string {
  if (method === 'CONNECT' && chance(random, 0.7)) return pick(random, ['x:1', '127.0.0.1:22', '[::1]:443', 'x', ''])
  if (chance(random, 0.02)) return `/${'a'.repeat(integer(random, 20_000))}`
  return pick(random, targets)
}

function createBody (random: Random): [headers: string[], body: string] {
  const content = createContent(random)
  const chunks = `${content.length.toString(16)}${chance(random, 0.1) ? ';a="b c"' : ''}\r\n${content}\r\n0\r\n\r\n`
  return pick<() => [string[], string]>(random, [
    () => [[`Content-Length: ${content.length}`], content],
    () => [[`Content-Length: ${content.length}`], content],
    () => [[`Content-Length: ${content.length}`], content],
    () => [['Transfer-Encoding: chunked'], chunks],
    () => [['Transfer-Encoding: chunked'], chunks],
    () => [
      ['Transfer-Encoding: chunked'], `${pick(random, ['zz', '-2', '', '10000000000000002', '5\n'])}\r\n${content}`
    ],
    () => [['Transfer-Encoding: chunked'], `1;${'a'.repeat(integer(random, 40_000))}\r\n`],
    () => [['Transfer-Encoding: chunked', `Content-Length: ${content.length}`], chunks],
    () => [['Transfer-Encoding: xchunked'], chunks],
    () => [['Content-Length: 3', 'Content-Length: 5'], content],
    () => [[`Content-Length: ${content.length + 1 + integer(random, 100)}`], content],
    () => [[`Content-Length: ${integer(random, content.length + 1)}`], content],
    () => [[`Content-Length: ${pick(random, ['-1', '+2', '0x2', '99999999999999999999', '1e3', ''])}`], content],
    () => [[], content]
  ])()
}

/** Few of them are complete and valid, because each of those costs a hash. */
function createContent (random: Random): string {
  return chance(random, 0.12)
    ? pick(random, [
      '{"username":"demo","password":"gatehouse-demo"}',
      '{"username":"demo","password":"wrong horse"}',
      `{"username":"fuzz${integer(random, 1e9)}","password":"correct horse ` +
        `battery","email":"fuzz${integer(random, 1e9)}@fuzz.example"}`
    ])
    : pick(random, [
      '', '{', '{}', '[]', 'null', '"text"', '{"username":1,"password":[]}', '{"__proto__":{"a":1}}',
      '{"username":"demo"}', '{"token":"x","newPassword":"x"}',
      '{"email":"nobody@fuzz.example"}', '\xff\xfe', ' '.repeat(integer(random, 20_000)),
      '['.repeat(integer(random, 16_000)), '{"username":"\\u0000","password":"x"'
    ])
}

/** Some conversations lose an end, or a byte becomes another, or garbage stands in the middle. */
function damage (random: Random, bytes: Buffer): Buffer {
  if (chance(random, 0.1)) bytes = bytes.subarray(0, integer(random, bytes.length + 1))
  if (chance(random, 0.1) && bytes.length > 0) bytes[integer(random, bytes.length)] = integer(random, 256)
  if (chance(random, 0.05)) {
    const at = integer(random, bytes.length + 1)
    const garbage = Buffer.from(Array.from({ length: integer(random, 200) }, () => integer(random, 256)))
    bytes = Buffer.concat([bytes.subarray(0, at), garbage, bytes.subarray(at)])
  }
  return bytes
}

const chance = (random: Random, probability: number): boolean => random() < probability
const integer = (random: Random, below: number): number => Math.floor(random() * below)
const pick = <T>(random: Random, from: readonly T[]): T => from[integer(random, from.length)]!

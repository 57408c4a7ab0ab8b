import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { action, note, ok, type Finding } from '../base/finding.js'
import { duration } from '../base/text.js'
import { isLoopback } from '../base/loopback.js'
import { timed, type Checks, type Deployment, type Timed } from './run-checks.js'
import { loginAddress, judgeChain } from './trust-chain.js'

const DAY_MS = 86_400_000
/** Node's error codes for a certificate that clients do not accept. */
const CERTIFICATE = /CERT|SIGNED|SIGNATURE|ALTNAME/
/** Those of a certificate that others may accept: this machine knows nobody who vouches for it. */
const UNKNOWN_ISSUER = /^(UNABLE_TO_|SELF_SIGNED_CERT_IN_CHAIN)/

interface ProbeResponse {
  status: number
  retryAfter: string
  /** Both ends of the connection. */
  local: string
  remote: string
  certificateEndsAtMs: number | undefined
}

/**
 * The trust chain: a login of a user who does not exist goes through PUBLIC_URL, with a forged X-Forwarded-For. The
 * limiter counts it in a bucket of that user and the client address. So the key of the bucket shows which address
 * arrived. The test costs one login token of this machine, and is logged as a failed login of an unknown user.
 */
export function publicUrlChecks ({ config, store, takeError, timeUp }: Deployment): Checks {
  const { publicOrigin: origin, production } = config
  if (origin === undefined) {
    return {
      'public-url': () => note('PUBLIC_URL is not set: which client address arrives was not tried',
        'set it to the origin that users see')
    }
  }
  const user = `doctor-${randomUUID()}`
  const forged = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`
  const asked = timed(() => logIn(origin, user, forged, timeUp))
  return {
    'public-url': async () => [judgeOrigin(origin, production), ...judgeAnswer(origin, await asked)],
    'trust-chain': async () => {
      const { answer } = await asked
      if (answer?.status === 429) {
        return note('unknown: this machine has no login token left', `run this again in ${answer.retryAfter} s`)
      }
      if (answer?.status !== 401) return note('unknown: no login was answered through PUBLIC_URL')
      if (!store || takeError !== undefined) return note('unknown: which address arrived is in Redis')
      const arrived = await loginAddress(store, user, config)
      return arrived
        ? judgeChain(arrived, { ...answer, forged }, config)
        : note('unknown: Redis has nothing of a login through PUBLIC_URL. It is unavailable to the service ' +
          'behind PUBLIC_URL, or that uses another Redis than REDIS_URL')
    }
  }
}

async function logIn (
  origin: string, username: string, forwardedFor: string, signal: AbortSignal
): Promise<ProbeResponse> {
  const url = new URL('/api/auth/login', origin)
  const body = JSON.stringify({ username, password: randomUUID() })
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-forwarded-for': forwardedFor
    }
  })
  request.end(body)
  const [response] = await once(request, 'response')
  const { statusCode, headers, socket } = response as IncomingMessage
  const { localAddress = '', remoteAddress = '' } = socket
  const validTo = (socket as Partial<TLSSocket>).getPeerCertificate?.()?.valid_to
  response.destroy()
  return {
    status: statusCode!,
    retryAfter: headers['retry-after'] ?? '60',
    local: localAddress,
    remote: remoteAddress,
    certificateEndsAtMs: validTo === undefined ? undefined : Date.parse(validTo)
  }
}

function judgeOrigin (origin: string, production: boolean): Finding {
  const { protocol, hostname } = new URL(origin)
  if (isLoopback(hostname)) {
    const found = `PUBLIC_URL is ${origin}, which only this machine reaches: links in mails lead nowhere else`
    return production ? note(found, 'set PUBLIC_URL to the https origin that users see') : ok(`PUBLIC_URL is ${origin}`)
  }
  if (protocol === 'https:') return ok(`PUBLIC_URL is ${origin}`)
  const found = `PUBLIC_URL is ${origin}: passwords and tokens cross the network in clear`
  return action(found, 'end TLS in front of the replicas, and use https')
}

function judgeAnswer (origin: string, { answer, error }: Timed<ProbeResponse>): Finding[] {
  if (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (UNKNOWN_ISSUER.test(code)) {
      const found = `this machine does not know who signed the certificate of ${origin}: ${message}`
      return [note(found, 'let the server send the whole chain; for an authority of your own, name its file in ' +
        'NODE_EXTRA_CA_CERTS')]
    }
    if (CERTIFICATE.test(code)) {
      const found = `no client accepts the certificate of ${origin}: ${message}`
      return [action(found, 'see "Renewing a certificate" in docs/runbook.md')]
    }
    const reason = error.name === 'AbortError' ? 'no answer in time' : message || code
    return [note(`${origin} cannot be reached from here: ${reason}`, 'run this where clients are, or see the balancer')]
  }
  const { status, certificateEndsAtMs } = answer
  const results = []
  if (![401, 429, 503].includes(status)) {
    const found = `${origin} answers a login with ${status}, which gatehouse does not`
    results.push(action(found, 'correct PUBLIC_URL, or the proxy behind it'))
  } else if (status === 503) {
    results.push(note(`${origin} answers a login with 503`, 'see the other checks, and /readyz of the replicas'))
  }
  if (certificateEndsAtMs !== undefined) results.push(judgeCertificate(certificateEndsAtMs - Date.now()))
  return results
}

function judgeCertificate (leftMs: number): Finding {
  const found = `the certificate is valid for ${duration(leftMs)}`
  if (leftMs < 7 * DAY_MS) return action(found, 'renew it: see "Renewing a certificate" in docs/runbook.md')
  return leftMs < 21 * DAY_MS ? note(found, 'see why it was not renewed yet') : ok(found)
}

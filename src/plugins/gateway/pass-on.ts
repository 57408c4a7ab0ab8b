import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEventStream, type UpstreamAnswer } from '../../modules/answer.js'
import { UpstreamUnavailable } from '../../modules/failures.js'
import { unremovedCoding, headersToClient } from '../../modules/headers.js'
import { hideInnerOrigin } from '../../modules/own-urls.js'
import { keepFromSharedCaches } from '../../modules/shared-caches.js'

/**
 * Passes the answer of a module on to its client.
 *
 * @param host what the module got in `Host`
 * @param onBroken called if the module breaks off its answer
 * @throws {UpstreamUnavailable} if it is no answer that HTTP has
 */
export function passOnAnswer (
  request: FastifyRequest, reply: FastifyReply, { statusCode, headers, body }: UpstreamAnswer, host: string,
  onBroken: (request: FastifyRequest, failure: Error) => void
): void {
  if (statusCode > 599) throw new UpstreamUnavailable(`the answer has the status ${statusCode}`)
  const coding = unremovedCoding(headers)
  if (coding !== undefined) throw new UpstreamUnavailable(`the answer has the transfer coding ${coding}`)
  request.passedOn = true
  reply.code(statusCode)
  const passed = headersToClient(headers)
  hideInnerOrigin(passed, host)
  if (usesToken(request)) keepFromSharedCaches(passed)
  exposeToPages(reply, passed, headers['access-control-expose-headers'])
  if (passed.vary !== undefined) passed.vary = [reply.getHeader('vary'), passed.vary].flat().filter(Boolean).join(', ')
  reply.headers(passed)
  if (body instanceof Readable) body.on('error', failure => onBroken(request, failure))
  // Node would send the headers with the first event.
  if (isEventStream(headers)) reply.raw.once('pipe', () => reply.raw.flushHeaders())
  reply.send(body instanceof Readable || isSelfDescribing(request, statusCode, passed) ? body : Readable.from([body]))
}

/** A page of an allowed origin may also read the headers that the module names, such as those of an upload in parts. */
function exposeToPages (
  reply: FastifyReply, passed: Record<string, unknown>, named: string | string[] | undefined
): void {
  const exposed = reply.getHeader('access-control-expose-headers')
  if (exposed === undefined || named === undefined) return
  const names = [named].flat().join().split(',').map(name => name.trim()).filter(name => /^[\w-]+$/.test(name))
  passed['access-control-expose-headers'] = [exposed, ...names].join(', ')
}

/** A public module may check credentials itself. */
function usesToken ({ headers, route }: FastifyRequest): boolean {
  const { public: isPublic, token } = route.config.module!
  return !isPublic || (token === 'pass' && headers.authorization !== undefined)
}

/**
 * Whether Fastify can send the body as a Buffer. For other answers, Fastify would derive a Content-Type or a wrong
 * Content-Length from the Buffer.
 */
function isSelfDescribing ({ method }: FastifyRequest, statusCode: number, headers: IncomingHttpHeaders): boolean {
  return method !== 'HEAD' && statusCode !== 304 && headers['content-type'] !== undefined
}

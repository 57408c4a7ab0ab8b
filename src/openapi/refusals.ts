import {
  badGateway, badRequest, gatewayTimeout, internalServerError, invalidBody, methodNotAllowed, networkBlocked, notFound,
  originRefused, payloadTooLarge, serviceUnavailable, unreadableRequest, unsupportedMediaType, uriTooLong,
  type ErrorResponse
} from '../base/errors.js'
import type { RefusalExamples } from './error-responses.js'

/** An example of an error that would only be logged. */
const parserError = new Error('what the parser says')

export const commonRefusals = (tooMany: ErrorResponse): RefusalExamples => ({
  400: { host: badRequest('The Host header is missing.'), http: unreadableRequest(400, parserError) },
  403: { network: networkBlocked() },
  429: { limit: tooMany }
})

/** Routes with `anyOrigin` do not have this refusal. */
export const originRefusals: RefusalExamples = { 403: { origin: originRefused() } }

/** Refusals of any request that are the same for all operations. */
export const sharedRefusals: RefusalExamples = {
  404: { path: notFound() },
  405: { method: methodNotAllowed(['POST']) },
  408: { late: unreadableRequest(408, parserError) },
  413: { body: payloadTooLarge(), chunks: unreadableRequest(413, parserError) },
  // The load balancer answers this to a long query. A replica itself answers 431.
  414: { target: uriTooLong() },
  431: { headers: unreadableRequest(431, parserError) },
  500: { bug: internalServerError() },
  502: {
    balancer: {
      ...badGateway(parserError),
      message: 'The service stopped while it answered. Whether the request took effect is not known.'
    }
  },
  503: { unavailable: serviceUnavailable(2) },
  504: {
    balancer: {
      ...gatewayTimeout(parserError),
      message: 'The service did not answer in time. Whether the request took effect is not known.'
    }
  }
}

/** Also for a route without a body, if a request has one. */
export const bodyRefusals = (isWanted: boolean): RefusalExamples => ({
  400: {
    json: badRequest('The body is not valid JSON.'),
    ...isWanted && {
      empty: badRequest('The body is empty.'), field: invalidBody({ field: 'body', message: 'must be an object' })
    }
  }
})

/** Also where no body belongs, for one that is not empty. All operations have these. */
export const sharedBodyRefusals: RefusalExamples = { 415: { type: unsupportedMediaType() } }

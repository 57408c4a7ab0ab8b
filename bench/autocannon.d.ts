/** The part of autocannon that is used here; it brings no types. */
declare module 'autocannon' {
  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    /** Changes a request before it is sent. */
    setupRequest?: (request: Request) => Request
  }
  interface Options extends Request {
    url: string
    connections: number
    duration: number
    requests?: Request[]
    /** Threads that make the requests, instead of the caller's. */
    workers?: number
    /** Seconds. */
    timeout?: number
  }
  interface Result {
    statusCodeStats?: Record<number, { count: number }>
    requests: { total: number }
    duration: number
    errors: number
    timeouts: number
    non2xx: number
    '2xx': number
    '4xx': number
    '5xx': number
  }
  export default function autocannon (options: Options): Promise<Result>
}

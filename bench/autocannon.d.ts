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
    /** Requests a second, instead of as many as are answered. */
    overallRate?: number
  }
  interface Result {
    statusCodeStats?: Record<number, { count: number }>
    requests: { total: number, average: number }
    /** In milliseconds. */
    latency: { p99: number }
    duration: number
    errors: number
    timeouts: number
    non2xx: number
    '2xx': number
    '4xx': number
    '5xx': number
  }
  interface Load extends Promise<Result> {
    on: (
      event: 'response', listener: (client: unknown, status: number, bytes: number, tookMs: number) => void
    ) => void
  }
  export default function autocannon (options: Options): Load
}

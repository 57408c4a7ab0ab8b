/** The part of autocannon that bench/http.ts uses; it brings no types. */
declare module 'autocannon' {
  interface Options { url: string, connections: number, duration: number }
  interface Result { requests: { total: number }, duration: number, errors: number, '2xx': number, '4xx': number }
  export default function autocannon (options: Options): Promise<Result>
}

import type { StoreUnavailable } from '../bucket/bucket.js'
import { toStoreUnavailable } from './failures.js'

/**
 * Gives what `read` makes of a reply to `use`, or calls `fail` at the deadline at the latest. The deadline has two
 * halves: a pause of this process or of its machine ends only the first, and Redis has the other one to answer. When
 * the time is up, one more turn of the event loop reads replies that have already arrived. A take that timed out may
 * have counted, and is never sent again.
 */
export function withDeadline<Read> (
  deadlineMs: number, reply: Promise<unknown>, read: (reply: unknown) => Read,
  use: (read: Read, seconds: number) => void, fail: (failure: StoreUnavailable) => void
): void {
  const startedMs = performance.now()
  let ended = false
  const end = (): boolean => {
    const isFirst = !ended
    ended = true
    clearTimeout(timer)
    return isFirst
  }
  const failed = (cause: unknown): void => { if (end()) fail(toStoreUnavailable(cause)) }
  const timeUp = (): void => failed(new Error(`no reply within ${deadlineMs} ms`))
  let timer = setTimeout(() => { timer = setTimeout(setImmediate, deadlineMs / 2, timeUp) }, deadlineMs / 2)
  reply.then((reply) => {
    let answer: Read
    try {
      answer = read(reply)
    } catch (error) {
      return failed(error)
    }
    if (end()) use(answer, (performance.now() - startedMs) / 1000)
  }, failed)
}

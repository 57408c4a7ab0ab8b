import { MAX_LATE_MS } from './logged-request.js'
import type { Request } from './requests.js'

/** Of more requests in so short a time, the oldest are no longer held back. About 10 MB. */
const MAX_HELD = 50_000

/**
 * Requests of several logs by time. Of all logs the earliest line comes first, so that logs of replicas are as one, and
 * rotated logs follow each other in whatever order they are named. Within a log, a line may be late: requests are held
 * back until 30 s of the log have passed.
 *
 * @param onJump is called when a log goes back in time by more than that, as one does that was made of two. It begins
 * anew from there.
 */
export async function * inOrder (
  logs: ReadonlyArray<AsyncGenerator<Request[]>>, onJump: () => void
): AsyncGenerator<Request[]> {
  const window = holdBack(onJump)
  let heads = (await Promise.all(logs.map(log => nextBatch(log)))).filter(head => head !== undefined)
  while (heads.length > 0) {
    const head = heads.reduce((first, other) => timeOf(other) < timeOf(first) ? other : first)
    const limitMs = Math.min(...heads.filter(other => other !== head).map(timeOf))
    // One at least, and more as long as no other log comes first.
    do window.add(head.batch[head.index++]!)
    while (head.index < head.batch.length && timeOf(head) <= limitMs)
    yield window.passed()
    if (head.index < head.batch.length) continue
    const next = await nextBatch(head.log)
    heads = heads.map(other => other === head ? next : other).filter(head => head !== undefined)
  }
  yield window.rest()
}

interface Head { log: AsyncGenerator<Request[]>, batch: Request[], index: number }

const timeOf = ({ batch, index }: Head): number => batch[index]!.timeMs

async function nextBatch (log: AsyncGenerator<Request[]>): Promise<Head | undefined> {
  for (;;) {
    const { done, value } = await log.next()
    if (done) return undefined
    if (value.length > 0) return { log, batch: value, index: 0 }
  }
}

/** Seconds that are held back at a time: as many as a line may be late, and the newest. */
const SECONDS = MAX_LATE_MS / 1000 + 1

/** Holds requests by the second that they belong to, in a ring: a Map would keep what was deleted from it for long. */
function holdBack (onJump: () => void) {
  const ring: Request[][] = Array.from({ length: SECONDS }, () => [])
  let held = 0
  /** All before it have passed. */
  let oldest = -Infinity
  let newest = -Infinity
  let passedMs = -Infinity
  let ready: Request[] = []

  function add (request: Request): void {
    const second = Math.floor(request.timeMs / 1000)
    if (second <= newest - SECONDS) startOver()
    if (second > newest) {
      release(second - SECONDS + 1)
      newest = second
    }
    ring[Math.max(second, oldest) % SECONDS]!.push(request)
    held++
    while (held > MAX_HELD) release(oldest + 1)
  }

  function startOver (): void {
    onJump()
    release(Infinity)
    oldest = newest = passedMs = -Infinity
  }

  /** Lets all seconds before this one pass. */
  function release (before: number): void {
    for (let second = oldest; second < before && held > 0; second++) {
      const requests = ring[second % SECONDS]!.sort((a, b) => a.timeMs - b.timeMs)
      held -= requests.length
      for (const request of requests) {
        request.timeMs = passedMs = Math.max(request.timeMs, passedMs)
        ready.push(request)
      }
      requests.length = 0
    }
    oldest = Math.max(before, oldest)
  }

  function passed (): Request[] {
    const requests = ready
    ready = []
    return requests
  }

  return {
    add,
    passed,
    rest () {
      release(Infinity)
      return passed()
    }
  }
}

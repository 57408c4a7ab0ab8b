import { MAX_LATE_MS } from './logged-request.js'
import type { Request } from './requests.js'

/** If there are more requests in 30 s, the oldest are no longer held back. About 10 MB. */
const MAX_HELD = 50_000

/**
 * The requests of several logs, sorted by time. The earliest line of all logs comes first. So the logs of several
 * replicas become one, and rotated logs may be named in any order. Within a log a line may be late, so requests are
 * held back until 30 s of the log have passed.
 *
 * @param onJump called when a log goes back in time by more than that, for example because it was joined from two logs.
 * Sorting starts again there.
 */
export async function * inOrder (
  logs: ReadonlyArray<AsyncGenerator<Request[]>>, onJump: () => void
): AsyncGenerator<Request[]> {
  const window = holdBack(onJump)
  let heads = (await Promise.all(logs.map(log => nextBatch(log)))).filter(head => head !== undefined)
  while (heads.length > 0) {
    const head = heads.reduce((first, other) => timeOf(other) < timeOf(first) ? other : first)
    const limitMs = Math.min(...heads.filter(other => other !== head).map(timeOf))
    // Take at least one request, and more while no other log has an earlier one.
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

/** How many seconds are held back: the time by which a line may be late, and the newest second. */
const SECONDS = MAX_LATE_MS / 1000 + 1

/** Holds requests by their second, in a ring buffer, because a Map keeps deleted entries in memory for a long time. */
function holdBack (onJump: () => void) {
  const ring: Request[][] = Array.from({ length: SECONDS }, () => [])
  let held = 0
  /** All earlier seconds were released. */
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

  /** Releases all seconds before this one. */
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

import { MAX_LATE_MS } from './logged-request.js'
import type { TimedRequest } from './requests.js'

/** If there are more requests in 30 s, the oldest are no longer held back. About 10 MB. */
const MAX_HELD = 50_000

/** So many late lines in a row are of another log, if they are in order. */
const MOST_LATE = 10

/**
 * The requests of several logs, sorted by time. The earliest line of all logs comes first. So the logs of several
 * replicas become one, and rotated logs may be named in any order. Within a log a line may be late, so requests are
 * held back until 30 s of the log have passed. A line that is later than that, in a log that has the start of each
 * request, is of a long request, which counts as if it had begun 30 s before its line.
 *
 * @param onJump called when a log goes back in time by more than that and goes on from there, for example because it
 * was joined from two logs. Sorting starts again there.
 */
export async function * mergeByTime (
  logs: ReadonlyArray<AsyncGenerator<TimedRequest[]>>, onJump: () => void
): AsyncGenerator<TimedRequest[]> {
  const window = holdBack(onJump)
  let heads = (await Promise.all(logs.map(log => nextBatch(log)))).filter(head => head !== undefined)
  while (heads.length > 0) {
    const head = heads.reduce((first, other) => timeOf(other) < timeOf(first) ? other : first)
    const limitMs = Math.min(...heads.filter(other => other !== head).map(timeOf))
    // Take at least one request, and more while no other log has an earlier one.
    const from = head.index++
    while (head.index < head.batch.length && timeOf(head) <= limitMs) head.index++
    yield window.add(head.batch.slice(from, head.index))
    if (head.index < head.batch.length) continue
    const next = await nextBatch(head.log)
    heads = heads.map(other => other === head ? next : other).filter(head => head !== undefined)
  }
  yield window.rest()
}

interface Head { log: AsyncGenerator<TimedRequest[]>, batch: TimedRequest[], index: number }

const timeOf = ({ batch, index }: Head): number => batch[index]!.timeMs

async function nextBatch (log: AsyncGenerator<TimedRequest[]>): Promise<Head | undefined> {
  for (;;) {
    const { done, value } = await log.next()
    if (done) return undefined
    if (value.length > 0) return { log, batch: value, index: 0 }
  }
}

/** The held requests are sorted when there are twice as many as after the last time, so each is sorted a few times. */
const MIN_SORTED = 1000

function holdBack (onJump: () => void) {
  const held: TimedRequest[] = []
  let newestMs = -Infinity
  let passedMs = -Infinity
  let sortAt = MIN_SORTED
  /** The last lines, if they are later than a request is held back. */
  let late: TimedRequest[] = []

  /** @returns the held requests before this time, sorted */
  function release (beforeMs: number): TimedRequest[] {
    held.sort((a, b) => a.timeMs - b.timeMs)
    const first = held.findIndex(({ timeMs }) => timeMs >= beforeMs)
    const released = held.splice(0, Math.max(first === -1 ? held.length : first, held.length - MAX_HELD))
    for (const request of released) request.timeMs = passedMs = Math.max(request.timeMs, passedMs)
    sortAt = 2 * held.length + MIN_SORTED
    return released
  }

  function holdLate (): void {
    for (const request of late) request.timeMs = newestMs - MAX_LATE_MS
    held.push(...late)
    late = []
  }

  /** @returns what was held before */
  function goBack (): TimedRequest[] {
    onJump()
    const released = release(Infinity)
    newestMs = Math.max(...late.map(({ timeMs }) => timeMs))
    passedMs = -Infinity
    held.push(...late)
    late = []
    return released
  }

  return {
    /** @returns those that are no longer held back */
    add (requests: TimedRequest[]): TimedRequest[] {
      let released: TimedRequest[] = []
      for (const request of requests) {
        if (request.timeMs < newestMs - MAX_LATE_MS) {
          late.push(request)
          if (late.length <= MOST_LATE) continue
          if (inOrder(late)) released = released.concat(goBack())
          else holdLate()
        } else {
          if (late.length > 0) holdLate()
          newestMs = Math.max(request.timeMs, newestMs)
          held.push(request)
        }
      }
      return held.length < sortAt ? released : released.concat(release(newestMs - MAX_LATE_MS))
    },

    rest () {
      holdLate()
      return release(Infinity)
    }
  }
}

const inOrder = (requests: TimedRequest[]): boolean =>
  requests.every(({ timeMs }, i) => i === 0 || timeMs >= requests[i - 1]!.timeMs - MAX_LATE_MS)

/*
 * A model of a bucket, to compare the service with. It imports nothing. It lists the instants of all refills that the
 * bucket needs, where the service calculates them from the expiry.
 */

export interface Limit { capacity: number, refill: number, periodMs: number }

export interface Answer { allowed: boolean, remaining: number, waitMs: number, nextMs: number }

/** What is stored for a bucket, also as the value of its key in Redis. */
export interface Held { value: string, lacked: number, refill: number, periodMs: number, fullAtMs: number }

export interface ModelBucket {
  take: (limit: Limit, nowMs: number) => Answer
  peek: (limit: Limit, nowMs: number) => Answer
  giveBack: (limit: Limit, nowMs: number) => Answer
  /** Undefined for a bucket that is full. If the expiry is lost, `fullAtMs` is Infinity. */
  held: () => Held | undefined
  loseExpiry: () => void
  /** The bucket is full, as when its key expires. */
  expire: () => void
}

export function createModel (): ModelBucket {
  /** What the bucket lacked after the last take or return. */
  let lacked = 0
  /** The refill that took last. */
  let refill = 1
  let periodMs = 1000
  /** When these refills come. Together they are just enough for what the bucket lacked. */
  let refills: number[] = []
  let isExpiryLost = false

  /** A bucket counts from now on if its expiry is lost, or if the clock stepped back to before its last take. */
  const startsNow = (nowMs: number): boolean => isExpiryLost || (refills.length > 0 && refills[0]! > nowMs + periodMs)

  function coming (nowMs: number): number[] {
    return startsNow(nowMs) ? refills.map((_, i) => nowMs + (i + 1) * periodMs) : refills.filter(at => at > nowMs)
  }

  function lackingAt (nowMs: number): number {
    let lacking = lacked
    for (let left = refills.length - coming(nowMs).length; left > 0; left--) lacking -= Math.min(refill, lacking)
    return lacking
  }

  function has ({ capacity }: Limit, nowMs: number): number {
    const lacking = lackingAt(nowMs)
    if (lacking < capacity) return capacity - lacking
    // The capacity was cut: there is one token, if a refill has come.
    return lacked > capacity && lacking < lacked ? 1 : 0
  }

  function answer (limit: Limit, nowMs: number, allowed = true): Answer {
    const next = coming(nowMs)[0]
    const nextMs = next === undefined ? 0 : next - nowMs
    return { allowed, remaining: has(limit, nowMs), waitMs: allowed ? 0 : nextMs, nextMs }
  }

  function write (lacking: number, wanted: number[]): void {
    lacked = lacking
    refills = [...wanted]
    while ((refills.length - 1) * refill >= lacking) refills.pop()
    isExpiryLost = false
  }

  return {
    take (limit, nowMs) {
      if (has(limit, nowMs) === 0) {
        if (startsNow(nowMs)) write(lacked, coming(nowMs))
        return answer(limit, nowMs, false)
      }
      const lacking = lackingAt(nowMs) + 1
      const next = coming(nowMs)[0]
      const goesOn = next !== undefined && refill === limit.refill && periodMs === limit.periodMs
      refill = limit.refill
      periodMs = limit.periodMs
      const first = goesOn ? next : nowMs + periodMs
      write(lacking, Array.from({ length: Math.ceil(lacking / refill) }, (_, i) => first + i * periodMs))
      return answer(limit, nowMs)
    },

    peek: answer,

    giveBack (limit, nowMs) {
      if (lackingAt(nowMs) <= 1) write(0, [])
      else write(lacked - 1, startsNow(nowMs) ? coming(nowMs) : refills)
      return answer(limit, nowMs)
    },

    held () {
      if (lacked === 0) return undefined
      const [unit, name] = ([[86_400_000, 4], [3_600_000, 3], [60_000, 2], [1000, 1]] as const)
        .find(([ms]) => periodMs % ms === 0)!
      const digits = (number: number, count: number): string => String(number).padStart(count, '0')
      return {
        value: name + digits(periodMs / unit, 3) + digits(refill, 5) + digits(lacked, 7),
        lacked,
        refill,
        periodMs,
        fullAtMs: isExpiryLost ? Infinity : refills.at(-1)!
      }
    },

    loseExpiry () { isExpiryLost = true },
    expire () { write(0, []) }
  }
}

let ofMs = 0
let text = ''

/**
 * The current time for logs and answers, such as `2026-02-03T04:05:06.789Z`. The text is made only once per
 * millisecond.
 */
export function isoNow (): string {
  const nowMs = Date.now()
  if (nowMs !== ofMs) {
    ofMs = nowMs
    text = new Date(nowMs).toISOString()
  }
  return text
}

let day = 0
let dayText = ''

/** A second of Unix time in the same form. It costs a quarter of what `Date` takes. */
export function isoSecond (seconds: number): string {
  const ofDay = seconds % 86_400
  if (seconds - ofDay !== day) {
    day = seconds - ofDay
    dayText = new Date(day * 1000).toISOString().slice(0, 'yyyy-mm-ddT'.length)
  }
  const ofHour = ofDay % 3600
  const hour = twoDigits((ofDay - ofHour) / 3600)
  const minute = twoDigits((ofHour - ofHour % 60) / 60)
  return `${dayText}${hour}:${minute}:${twoDigits(ofHour % 60)}.000Z`
}

const twoDigits = (n: number): string => n < 10 ? `0${n}` : `${n}`

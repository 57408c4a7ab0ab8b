import { shape } from './elements.js'
import { nowMs, spanText, timeText } from './times.js'

// How a bucket fills along time: a step for each refill, from now until it is full.

const [WIDTH, HEIGHT] = [100, 40]
/** More steps than that are a line to the eye. */
const MAX_STEPS = 200

/** The bucket as it will be at a time, if nobody takes from it. */
export function tokensAt ({ tokens, capacity, refill, periodMs, nextTokenAt }, atMs) {
  if (nextTokenAt === null) return capacity
  const sinceMs = atMs - Date.parse(nextTokenAt)
  const refills = sinceMs < 0 ? 0 : Math.floor(sinceMs / periodMs) + 1
  return Math.min(capacity, tokens + refills * refill)
}

/** @returns a picture, the same in words, and the tokens left; undefined for a bucket that is full */
export function refillOf (view) {
  const now = nowMs()
  const left = tokensAt(view, now)
  const { capacity, refill, periodMs } = view
  if (left >= capacity) return undefined
  const [firstMs, fullMs] = [Date.parse(view.nextTokenAt), Date.parse(view.fullAt)]
  const past = Math.max(0, Math.ceil((now - firstMs) / periodMs))
  const nextMs = firstMs + past * periodMs
  const words = {
    next: `in ${spanText(nextMs - now)}, at ${timeText(nextMs)}`,
    full: `in ${spanText(fullMs - now)}, at ${timeText(fullMs)}`
  }

  const x = atMs => (Math.max(0, atMs - now) / Math.max(1, fullMs - now) * (WIDTH - 4)).toFixed(2)
  const y = tokens => (HEIGHT - tokens / capacity * (HEIGHT - 2)).toFixed(2)
  const steps = Math.ceil((capacity - left) / refill)
  const stride = Math.ceil(steps / MAX_STEPS)
  let path = `M0 ${y(left)}`
  for (let step = 1; step <= steps; step += stride) {
    path += `H${x(nextMs + (step - 1) * periodMs)}V${y(Math.min(capacity, left + step * refill))}`
  }
  path += `V${y(capacity)}H${WIDTH}`
  const picture = shape('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    class: 'steps',
    'aria-label': `${left} of ${capacity} tokens; the next ${words.next}; full ${words.full}`
  },
  shape('path', { class: 'area', d: `${path}V${HEIGHT}H0z` }),
  shape('path', { class: 'line', d: path }),
  shape('path', { class: 'mark', d: `M${x(nextMs)} 0V${HEIGHT}M${x(fullMs)} 0V${HEIGHT}` }))
  return { picture, words, left }
}

/** A shorter command needs no bar. */
const PATIENCE_MS = 1000
const REDRAWN_EVERY_MS = 200
const WIDTH = 30

export interface Progress {
  add: (done: number) => void
  /** Removes the bar. */
  end: () => void
}

/**
 * Shows a progress bar at a terminal if something takes longer than a second.
 *
 * @param total returns about how many there are. It is called when the bar is first needed
 */
export function showProgress (
  things: string, total: () => Promise<number>, terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr
): Progress {
  if (!terminal.isTTY) return { add () {}, end () {} }
  let done = 0
  let of: number | undefined
  let drawn = false
  let redrawing: NodeJS.Timeout | undefined

  function draw (): void {
    drawn = true
    terminal.write(`\r${bar(done, of)} ${things}\u001b[K`)
  }

  const start = setTimeout(() => {
    total().then((count) => { of = count }, () => {})
    redrawing = setInterval(draw, REDRAWN_EVERY_MS)
    draw()
  }, PATIENCE_MS)

  return {
    add (more) { done += more },
    end () {
      clearTimeout(start)
      clearInterval(redrawing)
      if (drawn) terminal.write('\r\u001b[K')
    }
  }
}

function bar (done: number, of: number | undefined): string {
  const number = (count: number): string => Math.round(count).toLocaleString('en')
  if (!of) return number(done)
  // There may be more by now than the total says.
  const part = Math.min(1, done / of)
  const filled = Math.round(part * WIDTH)
  return `[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${Math.floor(part * 100)} % of ${number(of)}`
}

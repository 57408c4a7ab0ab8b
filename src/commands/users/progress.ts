const WIDTH = 30

/**
 * Shows at a terminal how far a step has come, with a bar where its end is known. Each call replaces the line before.
 */
export function showProgress (step: string, done: number, of?: number): void {
  if (of === undefined) return replaceLine(`${step} ${done}`)
  const filled = Math.min(WIDTH, Math.round(done / of * WIDTH))
  replaceLine(`[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${step} ${done} of ${of}`)
}

export const endProgress = (): void => replaceLine('')

function replaceLine (text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

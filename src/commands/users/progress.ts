/** Shows at a terminal how far a step has come. Each call replaces the line before. */
export const showProgress = (step: string, done: number, of: number): void => replaceLine(`${step} ${done} of ${of}`)

export const endProgress = (): void => replaceLine('')

function replaceLine (text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

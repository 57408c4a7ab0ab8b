/** An end other than success: what to tell the user, and the exit code that tells it to scripts. */
export class Failure extends Error {
  constructor (message: string, readonly exitCode: 1 | 2 | 3 = 1, options?: ErrorOptions) {
    super(message, options)
  }
}

export class UsageError extends Failure {
  constructor (message: string) {
    super(message, 2)
  }
}

export class NotFound extends Failure {
  constructor (message: string) {
    super(message, 3)
  }
}

/** Columns two spaces apart, as wide as their widest cell, headed in capitals. */
export function table (columns: string[], rows: Array<Array<string | number>>): string {
  const lines = [columns.map(name => name.toUpperCase()), ...rows.map(row => row.map(String))]
  const widths = columns.map((_, i) => lines.reduce((width, line) => Math.max(width, line[i]!.length), 0))
  return lines.map(line => line.map((cell, i) => cell.padEnd(widths[i]!)).join('  ').trimEnd() + '\n').join('')
}

export function print (json: boolean, value: unknown, text: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : text())
}

import { parseArgs } from 'node:util'
import { UsageError } from './outcome.js'

/** Every option of every command; cli.ts says which command takes which. */
export const options = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  policy: { type: 'string' },
  client: { type: 'string' },
  limited: { type: 'boolean' },
  limit: { type: 'string' },
  yes: { type: 'boolean' },
  email: { type: 'string' },
  role: { type: 'string' },
  type: { type: 'string' },
  'adp-status': { type: 'string' },
  designation: { type: 'string' },
  disabled: { type: 'boolean' },
  capacity: { type: 'string' },
  refill: { type: 'string' },
  period: { type: 'string' },
  mode: { type: 'string' },
  network: { type: 'string' },
  exempt: { type: 'boolean' },
  block: { type: 'boolean' },
  why: { type: 'string' },
  by: { type: 'string' },
  limits: { type: 'string' },
  html: { type: 'string' },
  suggest: { type: 'string' }
} as const

export type Options = ReturnType<typeof parse>['values']

/** @throws {UsageError} */
export function parse (argv: string[]) {
  try {
    return parseArgs({ args: argv.map(withShare), allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const DEFAULT_SHARE = '0.1%'

/** `--suggest` may be followed by a share. parseArgs does not support an option with an optional value. */
function withShare (arg: string, i: number, argv: string[]): string {
  return arg === '--suggest' && !/^\d*\.?\d+%?$/.test(argv[i + 1] ?? '') ? `--suggest=${DEFAULT_SHARE}` : arg
}

import { parseArgs } from 'node:util'
import { UsageError } from './outcome.js'

/** Every option of every command; cli.ts says which command takes which. */
export const options = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  policy: { type: 'string' },
  client: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  type: { type: 'string' },
  'adp-status': { type: 'string' },
  designation: { type: 'string' },
  disabled: { type: 'boolean' }
} as const

export type Options = ReturnType<typeof parse>['values']

/** @throws {UsageError} */
export function parse (argv: string[]) {
  try {
    return parseArgs({ args: argv, allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

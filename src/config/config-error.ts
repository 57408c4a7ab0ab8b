import { OperatorError } from '../base/operator-error.js'

/** Every fault of the environment, in one message. */
export class ConfigError extends OperatorError {
  constructor (readonly faults: readonly string[]) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    const list = faults.map(fault => `  ${fault}`).join('\n')
    super(`The configuration has ${count}:\n${list}\nSee .env.example for every variable.`)
  }
}

/** Adds the faults of what is thrown, which may be several, to those of a setting. */
export function collectFault<T> (read: () => T, name: string, faults: string[]): T | undefined {
  try {
    return read()
  } catch (error) {
    const { message, faults: several = [message] } = error as Error & { faults?: string[] }
    faults.push(...several.map(fault => `${name}: ${fault}`))
    return undefined
  }
}

// What the commands declare in common: options that several of them take, and short forms of Stricli's declarations.

/** An option that is there or not. */
export const flag = (brief: string) => ({ kind: 'boolean', optional: true, withNegated: false, brief }) as const

/** An option with a value. `parse` reads it, and throws what is wrong with it. */
export const valueFlag = <T> (placeholder: string, brief: string, parse: (text: string) => T) =>
  ({ kind: 'parsed', optional: true, placeholder, brief, parse }) as const

/** An option with one of some values. */
export const choiceFlag = <const T extends string> (values: readonly T[], brief: string) =>
  ({ kind: 'enum', values, optional: true, brief }) as const

export const textFlag = (placeholder: string, brief: string) => valueFlag(placeholder, brief, String)

/** Reads a number, as the `parse` of an option or an argument. */
export const wholeNumber = (from = 0, to = 1e9) => (text: string): number => {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (number >= from && number <= to) return number
  throw new Error(`must be a whole number from ${from} to ${to}`)
}

export const argument = (placeholder: string, brief: string) => ({ parse: String, placeholder, brief }) as const

/** All arguments of a command, in their order. */
export const positionals = <const T extends readonly object[]> (...parameters: T) =>
  ({ kind: 'tuple', parameters }) as const

/** A shell completes the policies without LIMITS_FILE, which is often on another machine. */
const policies = {
  placeholder: 'POLICY',
  proposeCompletions: async () => Object.keys((await import('../limiter/limits/policies.js')).defaultLimits.policies)
}

export const policyArgument = { ...argument('', 'the policy, such as login'), ...policies }
export const policyFlag = { ...textFlag('', 'of one policy'), ...policies }
export const yesFlag = flag('does not ask before')

/** What every command takes. */
export const commonFlags = {
  json: { kind: 'boolean', default: false, brief: 'JSON instead of a text: one document, or a line for each thing' }
} as const

export interface CommonFlags { json: boolean }

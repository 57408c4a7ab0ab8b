import { visit } from 'jsonc-parser'

/** Every fault of a file or of a setting, in one error. */
export class Faults extends Error {
  constructor (readonly faults: readonly string[]) { super(faults.join('\n')) }
}

/** Whether a value of a JSON text is an object, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @returns the value of a JSON text, and a fault for each key that an object has more than once
 * @throws {Faults} if it is not JSON
 */
export function readJson (json: string): { value: unknown, faults: string[] } {
  try {
    const value: unknown = JSON.parse(json)
    return { value, faults: repeatedKeys(json).map(key => `${key}: is there twice`) }
  } catch (error) {
    throw new Faults([`is not JSON: ${(error as Error).message}`])
  }
}

/**
 * The keys that an object of a JSON text has more than once. JSON.parse silently takes the last value of each.
 *
 * @param json a text that JSON.parse takes
 * @returns where each of them is, such as `policies.login`, once
 */
function repeatedKeys (json: string): string[] {
  const repeated = new Set<string>()
  const objects: Array<Set<string>> = []
  visit(json, {
    onObjectBegin () { objects.push(new Set()) },
    onObjectEnd () { objects.pop() },
    onObjectProperty (key, _offset, _length, _line, _character, path) {
      const keys = objects.at(-1)!
      if (keys.has(key)) repeated.add([...path(), key].join('.'))
      keys.add(key)
    }
  })
  return [...repeated]
}

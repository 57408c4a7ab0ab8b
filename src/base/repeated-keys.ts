import { visit } from 'jsonc-parser'

/**
 * The keys that an object of a JSON text has more than once. JSON.parse silently takes the last value of each.
 *
 * @param json a text that JSON.parse takes
 * @returns where each of them is, such as `policies.login`, once
 */
export function repeatedKeys (json: string): string[] {
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

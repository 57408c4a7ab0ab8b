import { Type, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'

// By default, TypeBox reports eight faults. An operator wants to know all of them.
Settings.Set({ maxErrors: 1000 })

/** A text that a rule holds for. @param fault what it must be */
export const textThat = (isRight: (text: string) => boolean, fault: string) =>
  Type.Refine(Type.String({ fault }), isRight)

/** What is wrong with a member that a part of a schema does not know. @param known the names that it knows */
export type Stray = (key: string, known: string) => string

/**
 * The faults of a value, in the words of its schema: each part of it says in `fault` what it expects, and may say in
 * `stray` why a member cannot be there.
 *
 * @param name of the whole value
 */
export function schemaFaults (schema: TSchema, value: unknown, name: string): string[] {
  const compiled = Compile(schema)
  // Looking for faults takes twenty times as long.
  if (compiled.Check(value)) return []
  return compiled.Errors(value).flatMap(({ keyword, schemaPath, instancePath, params }): string[] => {
    const at = keysOf(schemaPath).reduce((part, key) => part[key] as Part, schema as Part)
    // A value that fails at a part without words, such as one of a union, also fails at a part that has some.
    if (at.fault === undefined) return []
    const path = keysOf(instancePath)
    const within = path.map(key => `${key}.`).join('')
    const where = path.join('.') || name
    const { properties = {} } = at
    if (keyword === 'required') {
      return params.requiredProperties.map(key => `${within}${key}: ${properties[key]!.fault}`)
    }
    if (keyword !== 'additionalProperties') return [`${where}: ${at.fault}`]
    const known = Object.keys(properties).join(', ')
    return params.additionalProperties.map((key) => {
      if (!at.stray) return `${where}: there is no "${key}" here; there are ${known}`
      return `${within}${key}: ${at.stray(key, known)}`
    })
  })
}

/** A part of the schema. */
interface Part { [key: string]: unknown, fault?: string, properties?: Record<string, Part>, stray?: Stray }

/** The keys of a JSON pointer. */
const keysOf = (pointer: string): string[] =>
  pointer.replace(/^#/, '').split('/').slice(1).map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))

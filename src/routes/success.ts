import { Type, type TSchema } from 'typebox'

/** The schema of a success. */
export function success<T extends TSchema, S extends number = 200> (data: T, status = 200 as S) {
  return Type.Object({ success: Type.Literal(true), status: Type.Literal(status), data })
}

export const succeeded = <T>(data: T) => ({ success: true as const, status: 200 as const, data })

export const created = <T>(data: T) => ({ success: true as const, status: 201 as const, data })

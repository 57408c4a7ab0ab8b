import { Type, type Static } from 'typebox'
import { MAX_REFILL } from '../bucket/bucket.js'
import { parsePeriod } from './period.js'

/*
 * What one limit of a limits file may say: `{"capacity":5,"refill":1,"period":"1m"}`. Each part of the schema says in
 * `fault` what it expects.
 */

const wholeNumber = (maximum: number) =>
  Type.Integer({ minimum: 1, maximum, fault: `must be a whole number from 1 to ${maximum}` })
export const optionalWord = <Word extends string>(words: Word[], fault: string) =>
  Type.Optional(Type.Enum(words, { fault }))
export const strictObject = (fault: string) => ({ additionalProperties: false, fault })

const numbers = {
  capacity: wholeNumber(1_000_000),
  refill: wholeNumber(MAX_REFILL),
  period: Type.Refine(
    Type.String({
      fault: 'must be 1 to 999 of s, m, h or d, such as "90s", "5m", "1h" or "1d", and at most 30 days'
    }),
    text => parsePeriod(text) !== undefined
  )
}
const NumbersSchema = Type.Object(numbers, strictObject('must be an object'))

export const MUST_BE_A_LIMIT = 'must be a limit; only a network can be exempt or blocked'

export const RowSchema = Type.Object({
  ...numbers,
  by: optionalWord(['address', 'user'], 'must be address or user'),
  address: Type.Optional(NumbersSchema),
  // `shadow` is short for `off` with the row's own numbers as its candidate.
  mode: optionalWord(['enforce', 'off', 'shadow'], 'must be enforce, shadow or off'),
  candidate: Type.Optional(NumbersSchema)
}, strictObject(MUST_BE_A_LIMIT))

/** The numbers of a limit, as a limits file writes them. */
export type Numbers = Static<typeof NumbersSchema>
/** A limit, as a limits file writes it. */
export type FileRow = Static<typeof RowSchema>
/** Whether a limit refuses; one that is off takes no token either. */
export type Mode = 'enforce' | 'off'
/** What a network has in place of a limit: `exempt` takes no token; `block` refuses every request. */
export type NetworkRule = 'exempt' | 'block'
/** A limit of a network. */
export type NetworkRow = FileRow | NetworkRule

export interface LimitsFile {
  policies?: Record<string, FileRow>
  networks?: Record<string, Record<string, NetworkRow>>
}

import { AsyncResource } from 'node:async_hooks'

/*
 * A request takes ten turns of process.nextTick. V8 makes the object of a turn fast as long as it has seen one hidden
 * class there. If it collects garbage while no such object lives, it forgets the class, sees another one next, and
 * takes its slow path from then on: 300 ns a turn instead of 60, a tenth of a request. The garbage collections of a
 * start are enough (findings/next-tick-is-slow-after-gc.sh).
 */

const symbols = Object.getOwnPropertySymbols(new AsyncResource('any'))
const symbolOf = (name: string): symbol => symbols.find(({ description }) => description === name) ?? Symbol(name)

/**
 * It begins like the object of a turn, and lives as long as the process, so that the hidden class does, too. Node 22
 * still takes the slow path for a later property. `executionAsyncResource` would give the object of a turn itself, but
 * once it was called, Node takes a detour for each callback.
 */
export const keptTurn: object = {
  // No integers, because Node takes its ids from an array of doubles.
  [symbolOf('async_id_symbol')]: 0.5,
  [symbolOf('trigger_async_id_symbol')]: 0.5,
  callback: symbolOf,
  args: undefined
}

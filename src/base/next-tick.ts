import { executionAsyncResource } from 'node:async_hooks'

/*
 * A request takes ten turns of process.nextTick. V8 makes the object of a turn fast as long as it has seen one hidden
 * class there. If it collects garbage while no such object lives, it forgets the class, sees another one next, and
 * takes its slow path from then on: 300 ns a turn instead of 60, a tenth of a request. The garbage collections of a
 * start are enough (findings/next-tick-is-slow-after-gc.sh).
 */

/** The object of the first turn. It lives as long as the process, so its hidden class does, too. */
export const kept: { turn?: object } = {}
process.nextTick(() => { kept.turn = executionAsyncResource() })

import { readFileSync } from 'node:fs'
import type { Result } from 'ioredis'

const lua = (name: string): string => readFileSync(new URL(import.meta.resolve(`#lua/${name}.lua`)), 'utf8')

/** Puts the text of lua/bucket.lua into a script, in place of the line that names it. */
const ofBuckets = (name: string): string => lua(name).replace('--- @include bucket.lua', () => lua('bucket'))

/** Every script, for the option `scripts` of ioredis, which loads them where they are missing. */
export const scripts = {
  takeTokens: { lua: ofBuckets('take') },
  adjustBuckets: { lua: ofBuckets('adjust') },
  countMember: { lua: lua('count-member'), numberOfKeys: 1 }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** lua/take.lua: the number of keys, the keys, and the arguments. */
    takeTokens: (...args: Array<string | number>) => Result<unknown, Context>
    /** lua/adjust.lua: the number of keys, the keys, the number of the call, and how many tokens come back. */
    adjustBuckets: (...args: Array<string | number>) => Result<unknown, Context>
    /** lua/count-member.lua: the set, the member, ms until it is given up. */
    countMember: (key: string, member: string, leaseMs: number) => Result<[count: number, nowMs: number], Context>
  }
}

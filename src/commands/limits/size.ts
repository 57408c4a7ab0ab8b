import { MAX_REFILL, type Policy } from '../../limiter/bucket/bucket.js'
import { formatPeriod, parsePeriod } from '../../limiter/limits/period.js'
import { limitText, numbersOf, type Limits } from '../../limiter/limits/policies.js'
import type { Numbers } from '../../limiter/limits/row-schema.js'
import { UsageError } from '../output.js'

const MINUTE_MS = 60_000
const DEFAULT_REQUESTS = 30

/** Everybody behind one address. */
export interface School {
  people: number
  /** In which time they all log in, such as `10m`. */
  within?: string
  /** How many requests one of them makes a minute. */
  requests?: number
}

/** A limit that is large enough for a school. */
export interface Sized {
  numbers: Numbers
  by?: 'user'
  address?: Numbers
  /** The arithmetic in words, and what the limit allows an attacker behind the network. */
  why: string
  risk: string
}

/** A sign-in is the way to the provider, the way back, and the exchange of the ticket. */
const REQUESTS_OF_SIGN_IN = 3

/** @throws {UsageError} for other policies than `login`, `sign-in` and `general`; without the time of all logins */
export function sizeFor (
  { policies }: Limits, policy: string, { people, within = '', requests = DEFAULT_REQUESTS }: School
): Sized {
  if (policy === 'general') return general(policies.general, people, requests)
  if (policy !== 'login' && policy !== 'sign-in') {
    throw new UsageError('--people is for the policies login, sign-in and general')
  }
  const withinMs = parsePeriod(within)
  if (withinMs === undefined) {
    throw new UsageError(`${policy} needs --within, the time in which all of them log in, such as 10m`)
  }
  return policy === 'login' ? login(policies, people, withinMs) : signIn(policies['sign-in'], people, withinMs)
}

/** Everybody at once, such as when the bell rings. A network cannot change the account throttle. */
function login (policies: Limits['policies'], people: number, withinMs: number): Sized {
  const logins = Math.ceil(people * 1.2)
  const numbers = atLeast(policies.login, refilled(logins, logins, withinMs))
  const ofAccount = limitText(numbersOf(policies['account-address']))
  return {
    numbers,
    why: `All ${people} at the same moment and again in the ${formatPeriod(withinMs)} after it, with a fifth more ` +
      'for mistyped passwords.',
    risk: `An attacker there can try passwords over all accounts: ${limitText(numbers)}.\n` +
      `For one account the account throttle goes on: ${ofAccount} from there.`
  }
}

function signIn (policy: Policy, people: number, withinMs: number): Sized {
  const requests = people * REQUESTS_OF_SIGN_IN
  const numbers = atLeast(policy, refilled(requests, requests, withinMs))
  return {
    numbers,
    why: `All ${people} at the same moment and again in the ${formatPeriod(withinMs)} after it, ` +
      `${REQUESTS_OF_SIGN_IN} requests each.`,
    risk: `An attacker there can begin sign-ins: ${limitText(numbers)}. Passwords are the provider's matter.`
  }
}

/** No user gets less than the limit for everyone gives an address. */
function general ({ capacity, refill, periodMs }: Policy, people: number, requests: number): Sized {
  const own = Math.max(requests, Math.ceil(refill * MINUTE_MS / periodMs))
  const numbers = { capacity: Math.max(capacity, own), refill: own, period: '1m' }
  const address = refilled(Math.max(people * requests, numbers.capacity), people * requests, MINUTE_MS)
  return {
    numbers,
    by: 'user',
    address,
    why: `${requests} requests a minute for each user, and ${people} times ${requests} for all of them together.`,
    risk: `An attacker there without a valid token gets ${limitText(numbers)}.\n` +
      `With the tokens of many users it can use up what all of them share: ${limitText(address)}.`
  }
}

/** A school never gets less than a single address. */
function atLeast ({ capacity, refill, periodMs }: Policy, numbers: Numbers): Numbers {
  const isFaster = numbers.refill / parsePeriod(numbers.period)! >= refill / periodMs
  const fastest = isFaster ? numbers : { refill, period: formatPeriod(periodMs) }
  return { ...fastest, capacity: Math.max(capacity, numbers.capacity) }
}

/** As many tokens in a time, by the minute or by the second if that is a whole number of them. */
function refilled (capacity: number, tokens: number, ms: number): Numbers {
  for (const periodMs of [MINUTE_MS, 1000]) {
    const refill = Math.ceil(tokens * periodMs / ms)
    if (periodMs <= ms && tokens * periodMs >= ms && refill <= MAX_REFILL) {
      return { capacity, refill, period: formatPeriod(periodMs) }
    }
  }
  return { capacity, refill: Math.min(tokens, MAX_REFILL), period: formatPeriod(ms) }
}

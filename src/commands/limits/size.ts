import { loadConfig } from '../../config/load.js'
import type { Policy } from '../../limiter/bucket/bucket.js'
import { networkText, parseNetwork } from '../../limiter/limits/client.js'
import { formatPeriod, parsePeriod } from '../../limiter/limits/period.js'
import { limitText, numbersOf, policyNames } from '../../limiter/limits/policies.js'
import { MAX_REFILL } from '../../limiter/bucket/bucket.js'
import { checked, LimitsError } from '../../limiter/limits/schema.js'
import type { Numbers } from '../../limiter/limits/row-schema.js'
import type { Common } from '../options.js'
import { print, UsageError } from '../outcome.js'

const MINUTE_MS = 60_000
const DEFAULT_REQUESTS = 30

interface Sized {
  policy: 'login' | 'general'
  row: Numbers & { by?: 'user', address?: Numbers }
  /** The arithmetic in words, and what the row allows an attacker behind the network. */
  why: string
  risk: string
}

interface Options { network: string, people: number, within: string, requests?: number }

/** Prints the commands that size a network for a school, and does not run them. */
export async function size (options: Common & Options): Promise<void> {
  const { network: text, people, within, requests = DEFAULT_REQUESTS } = options
  const withinMs = parsePeriod(within)
  if (withinMs === undefined) throw new UsageError('--within must be 1 to 999 of s, m, h or d, such as 10m')
  const network = networkOf(text)
  const sized = [login(people, withinMs), general(people, requests)].map(one =>
    ({ ...one, command: commandOf(one, network) }))
  mustBeLimits(network, sized)
  print(options.json, { network, people, within, requests, limits: sized }, () =>
    sized.map(({ policy, why, risk, command }) => `${policy}: ${why}\n  ${command}\n${risk}\n`).join('\n'))
}

/** Everybody at once, such as when the bell rings. A network cannot change the account throttle. */
function login (people: number, withinMs: number): Sized {
  const { policies } = loadConfig().limits
  const logins = Math.ceil(people * 1.2)
  const row = atLeast(policies.login, refilled(logins, logins, withinMs))
  const ofAccount = limitText(numbersOf(policies['account-address']))
  return {
    policy: 'login',
    row,
    why: `all ${people} at the same moment and again in the ${formatPeriod(withinMs)} after it, with a fifth more ` +
      'for mistyped passwords',
    risk: `An attacker there can try passwords over all accounts: ${limitText(row)}.\n` +
      `For one account the account throttle goes on: ${ofAccount} from there.`
  }
}

/** No user gets less than the limit for everyone gives an address. */
function general (people: number, requests: number): Sized {
  const { capacity, refill, periodMs } = loadConfig().limits.policies.general
  const own = Math.max(requests, Math.ceil(refill * MINUTE_MS / periodMs))
  const row = { capacity: Math.max(capacity, own), refill: own, period: '1m' }
  const address = refilled(Math.max(people * requests, row.capacity), people * requests, MINUTE_MS)
  return {
    policy: 'general',
    row: { ...row, by: 'user', address },
    why: `${requests} requests a minute for each user, and ${people} times ${requests} for all of them together`,
    risk: `An attacker there without a valid token gets ${limitText(row)}.\n` +
      `With the tokens of many users it can use up what all of them share: ${limitText(address)}.`
  }
}

/** A school never gets less than a single address. */
function atLeast ({ capacity, refill, periodMs }: Policy, row: Numbers): Numbers {
  const isFaster = row.refill / parsePeriod(row.period)! >= refill / periodMs
  const fastest = isFaster ? row : { refill, period: formatPeriod(periodMs) }
  return { ...fastest, capacity: Math.max(capacity, row.capacity) }
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

/** What is printed can be set. */
function mustBeLimits (network: string, sized: readonly Sized[]): void {
  const rows = Object.fromEntries(sized.map(({ policy, row }) => [policy, row]))
  try {
    checked({ networks: { [network]: rows } }, policyNames, 'the limits')
  } catch (error) {
    if (!(error instanceof LimitsError)) throw error
    throw new UsageError(`no limit can be that large; name fewer people or requests, or another time: ${error.message}`)
  }
}

function networkOf (text: string): string {
  try {
    return networkText(parseNetwork(text))
  } catch (error) {
    throw new UsageError(`--network ${(error as Error).message}`)
  }
}

function commandOf ({ policy, row }: Sized, network: string): string {
  const { capacity, refill, period, by, address } = row
  return `gatehouse limits set ${policy} --network ${network}${by ? ` --by ${by}` : ''} --capacity ${capacity} ` +
    `--refill ${refill} --period ${period}` +
    (address ? ` --address ${address.capacity},${address.refill},${address.period}` : '')
}

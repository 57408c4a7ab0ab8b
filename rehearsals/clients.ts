import { setTimeout } from 'node:timers/promises'
import type { Balancer } from '../test/fixtures/balancer.js'
import type { Lifetime } from '../test/fixtures/lifetime.js'

export const PASSWORD = 'correct horse battery'

export interface Login { username?: string, password?: string, code?: string, from?: string }

/** How often each answer came: its status, and what a refusal said. The status 0 is no answer. */
export type Answers = Map<string, number>

export interface Clients {
  /** One that nobody else has. */
  newAddress: () => string
  /** Through the balancer, by default from an address that nobody else has. */
  ask: (path: string, init?: RequestInit & { from?: string }) => Promise<Response>
  logIn: (login?: Login) => Promise<Response>
  /** @returns the token of a new session */
  tokenOf: (login?: Login) => Promise<string>
  /** The status of `me` for a token. */
  me: (token: string) => Promise<number>
  /**
   * People who go on working: the first with a session, the second logs in again and again.
   *
   * @returns a function that says what the requests since its last call were answered, once all of them are
   */
  startUsers: (working: string, arriving: string) => Promise<() => Promise<Answers>>
  /** Does something again and again until `rest` is called. */
  keep: (everyMs: number, action: (n: number) => Promise<unknown>) => void
  rest: () => Promise<void>
}

const ASK_EVERY_MS = 150
const LOG_IN_EVERY_MS = 2500
const PATIENCE_MS = 10_000

export function clientsOf (t: Lifetime, balancer: Pick<Balancer, 'ask'>): Clients {
  let addresses = 0
  let over = new AbortController()
  let kept: Array<Promise<void>> = []

  const ask: Clients['ask'] = async (path, { from = newAddress(), headers, ...init } = {}) => await balancer.ask(path, {
    signal: AbortSignal.timeout(PATIENCE_MS), ...init, headers: { ...headers, 'x-forwarded-for': from }
  })
  const logIn: Clients['logIn'] = async (
    { username = 'devi.rao', password = PASSWORD, code, from = newAddress() } = {}
  ) =>
    await ask('/api/auth/login', {
      method: 'POST',
      from,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, code })
    })
  const clients: Clients = {
    newAddress,
    ask,
    logIn,
    async tokenOf (login) {
      const reply = await logIn(login)
      const text = await reply.text()
      if (reply.status !== 200) throw new Error(`a login is answered with ${reply.status}: ${text}`)
      return (JSON.parse(text) as { data: { token: string } }).data.token
    },
    me: async token => await statusOf(ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })),
    async startUsers (working, arriving) {
      const token = await clients.tokenOf({ username: working })
      let answers: Answers = new Map()
      const underWay = new Set<Promise<unknown>>()
      const count = async (request: Promise<Response>): Promise<void> => {
        const of = answers
        const one = answerOf(request).then(answer => of.set(answer, (of.get(answer) ?? 0) + 1))
        underWay.add(one)
        await one.finally(() => underWay.delete(one))
      }
      const headers = { authorization: `Bearer ${token}` }
      const stop = new AbortController()
      const paths = ['/api/auth/me', '/api/student/marks']
      repeat(ASK_EVERY_MS, n => count(ask(paths[n % 2]!, { headers })), stop.signal)
      repeat(LOG_IN_EVERY_MS, () => count(logIn({ username: arriving })), stop.signal)
      t.after(() => stop.abort())
      return async () => {
        const seen = answers
        answers = new Map()
        await Promise.all(underWay)
        return seen
      }
    },
    keep (everyMs, action) {
      kept.push(repeat(everyMs, action, over.signal))
    },
    async rest () {
      over.abort()
      await Promise.all(kept)
      over = new AbortController()
      kept = []
    }
  }
  return clients

  function newAddress (): string {
    const n = ++addresses
    return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`
  }
}

/** Starts each in time, whatever became of those before. */
async function repeat (everyMs: number, action: (n: number) => Promise<unknown>, over: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<unknown>>()
  for (let n = 0; !over.aborted; n++) {
    const one = action(n).catch(() => {}).finally(() => underWay.delete(one))
    underWay.add(one)
    await setTimeout(everyMs, undefined, { signal: over }).catch(() => {})
  }
  await Promise.all(underWay)
}

/** @returns 0 without an answer */
export const statusOf = async (request: Promise<Response>): Promise<number> =>
  Number.parseInt(await answerOf(request), 10)

async function answerOf (request: Promise<Response>): Promise<string> {
  try {
    const reply = await request
    const text = await reply.text()
    if (reply.ok) return String(reply.status)
    const { message = '', path = '' } = JSON.parse(text) as { message?: string, path?: string }
    return `${reply.status} ${path}: ${message}`
  } catch (error) {
    return `0 ${(error as Error).name}`
  }
}

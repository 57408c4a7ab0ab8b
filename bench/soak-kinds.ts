import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { patience, type Answer, type Kind, type Traffic } from './soak-traffic.js'

/** The client that asks more often than the limits allow, until its own limit is raised. */
export const GREEDY = '203.0.113.9'

/** What the traffic needs to know, and what changes while it lasts. */
export interface World {
  url: string
  users: Array<{ username: string, password: string, token: string }>
  /** Tokens that were revoked more than a second ago. */
  revoked: string[]
  /** How many requests of the greedy client may have been admitted by now. */
  allowance: () => number
}

const ok = ({ status }: Answer): boolean => status === 200

/** Needs PostgreSQL. Without it, clients are asked to come again. */
const orUnavailable = (isRight: (answer: Answer) => boolean): Kind['isRight'] => (answer, faults) =>
  isRight(answer) || (
    answer.status === 503 && answer.retryAfter !== null && [...faults].some(fault => fault.startsWith('PostgreSQL'))
  )

/** What clients of the service ask, about 200 times a second. Every request but the greedy ones is a new client's. */
export function soakKinds (world: World): Kind[] {
  const { url, users } = world
  const userOf = (n: number): World['users'][number] => users[n % users.length]!
  const ask = (path: string, n: number, { token, body, from = clientOf(n) }: {
    token?: string, body?: object, from?: string
  } = {}): Promise<Response> => fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': from,
      ...token && { authorization: `Bearer ${token}` },
      ...body && { 'content-type': 'application/json' }
    },
    ...body && { body: JSON.stringify(body) },
    ...patience()
  })
  let admitted = 0
  return [
    {
      name: 'GET of a module',
      group: 'module',
      perSecond: 90,
      ask: n => ask('/api/student/marks', n, userOf(n)),
      isRight: ok
    },
    {
      name: 'POST to a module',
      group: 'module',
      perSecond: 20,
      ask: n => ask('/api/student/marks', n, { token: userOf(n).token, body: { mark: n } }),
      isRight: ok
    },
    { name: 'public module', group: 'module', perSecond: 25, ask: n => ask('/api/notices/today', n), isRight: ok },
    {
      name: 'revoked token',
      group: 'module',
      perSecond: 4,
      ask: n => ask('/api/student/marks', n, { token: world.revoked[n % world.revoked.length] ?? 'none' }),
      isRight: ({ status }) => status === 401
    },
    {
      name: 'greedy client',
      group: 'module',
      perSecond: 4,
      ask: n => ask('/api/notices/today', n, { from: GREEDY }),
      isRight ({ status, retryAfter }) {
        if (status === 200) admitted++
        return status === 200 ? admitted <= world.allowance() : status === 429 && retryAfter !== null
      }
    },
    {
      name: 'unknown path',
      group: 'module',
      perSecond: 10,
      ask: n => ask('/nothing', n),
      isRight: ({ status }) => status === 404
    },
    {
      name: 'me',
      group: 'me',
      perSecond: 30,
      ask: n => ask('/api/auth/me', n, { token: userOf(n).token }),
      isRight: orUnavailable(ok)
    },
    {
      name: 'login',
      group: 'login',
      perSecond: 2,
      ask: n => ask('/api/auth/login', n, { body: credentials(userOf(n)) }),
      isRight: orUnavailable(ok)
    },
    {
      name: 'login with a wrong password',
      group: 'login',
      perSecond: 1,
      ask: n => ask('/api/auth/login', n, { body: { ...credentials(userOf(n)), password: 'wrong horse battery' } }),
      isRight: orUnavailable(({ status }) => status === 401)
    },
    {
      name: 'forgot password',
      group: 'login',
      perSecond: 0.2,
      ask: n => ask('/auth/forgot-password', n, { body: { username: userOf(n).username } }),
      isRight: orUnavailable(ok)
    }
  ]
}

const credentials = ({ username, password }: { username: string, password: string }) => ({ username, password })

const clientOf = (n: number): string => `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`

const ECHO_EVERY_MS = 500
const websocket: Pick<Kind, 'name' | 'group' | 'isRight'> = {
  name: 'WebSocket echo', group: 'WebSocket', isRight: ({ status }, faults) => status === 101 || faults.has('release')
}

/** Sends a message twice a second, and connects again if the connection ends. */
export async function keepEchoing (
  { url, users }: World, traffic: Traffic, client: string, over: AbortSignal
): Promise<void> {
  while (!over.aborted) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/student/feed`, {
      headers: { authorization: `Bearer ${users[0]!.token}`, 'x-forwarded-for': client }
    })
    const closed = once(socket, 'close').then(([code]) => { throw new Error(`closed with ${code}`) })
    try {
      await Promise.race([once(socket, 'open'), closed])
      while (!over.aborted) {
        const startedMs = performance.now()
        const echo = once(socket, 'message')
        socket.send('ping')
        await Promise.race([echo, closed])
        traffic.count(websocket, { status: 101, retryAfter: null, text: '' }, startedMs)
        await setTimeout(ECHO_EVERY_MS)
      }
    } catch (error) {
      traffic.count(websocket, { status: 0, retryAfter: null, text: (error as Error).message }, performance.now())
      await setTimeout(100)
    } finally {
      socket.terminate()
    }
  }
}

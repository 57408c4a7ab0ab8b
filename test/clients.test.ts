// Clients that people use recover from a 429 by themselves: they wait as long as they are asked to, and are admitted.

import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import t from 'tap'
import { Agent, request as undiciRequest, RetryAgent } from 'undici'
import { startApp } from './fixtures/app.js'
import { newDirectory } from './fixtures/lifetime.js'

// Different from the 5 s for which Node's agent keeps a connection, so that none is closed just when a client retries.
const limits = { policies: { public: { capacity: 1, refill: 1, period: '7s' } } }
const directory = newDirectory(t, { 'limits.json': JSON.stringify(limits) })
const LIMITS_FILE = join(directory, 'limits.json')
const { app, client } = await startApp(t, { LIMITS_FILE, TRUST_PROXY: '127.0.0.1' })
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/.well-known/jwks.json`
const run = promisify(execFile)

/** The statuses that each client got. */
const answers = new Map<string, number[]>()
app.server.on('request', ({ headers }, response) => {
  const address = String(headers['x-forwarded-for'])
  response.once('finish', () => answers.set(address, [...answers.get(address) ?? [], response.statusCode]))
})

/** How each client sends a request and returns the final status, with its own retries. */
const clients: Record<string, (headers: Record<string, string>) => Promise<number>> = {
  // Without this it would also retry after connection errors, and hide them.
  got: async headers => (await got(url, { headers, retry: { limit: 3, errorCodes: [] } })).statusCode,

  ky: async headers => (await ky(url, { headers, retry: { limit: 3, backoffLimit: 10_000 } })).status,

  'axios and axios-retry': async (headers) => {
    const retrying = axios.create()
    axiosRetry(retrying, {
      retries: 3,
      retryCondition: error => error.response?.status === 429,
      retryDelay: axiosRetry.exponentialDelay // It waits for Retry-After where that is longer.
    })
    return (await retrying.get(url, { headers })).status
  },

  'undici\'s RetryAgent': async (headers) => {
    const dispatcher = new RetryAgent(new Agent(), { maxRetries: 3, statusCodes: [429] })
    const { statusCode, body } = await undiciRequest(url, { headers, dispatcher })
    await body.dump()
    await dispatcher.close()
    return statusCode
  },

  'curl --retry': async (headers) => {
    const args = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
    const { stdout } = await run('curl', [
      '--silent', '--output', join(directory, 'answer'), '--retry', '3', '--write-out', '%{http_code}', ...args, url
    ])
    return Number(stdout)
  },

  'urllib3\'s Retry': async (headers) => {
    const program = `
import json, sys, urllib3
retries = urllib3.Retry(total=3, status_forcelist=[429], respect_retry_after_header=True)
print(urllib3.PoolManager(retries=retries).request('GET', sys.argv[1], headers=json.loads(sys.argv[2])).status)`
    const { stdout } = await run('python3', ['-c', program, url, JSON.stringify(headers)])
    return Number(stdout)
  }
}

const missing: Record<string, () => unknown> = {
  'curl --retry': () => execFileSync('curl', ['--version']),
  'urllib3\'s Retry': () => execFileSync('python3', ['-c', 'import urllib3'], { stdio: 'ignore' })
}

function isMissing (name: string): boolean {
  try {
    missing[name]?.()
    return false
  } catch {
    return true
  }
}

// A client that is a process of its own may need seconds to start.
t.jobs = Object.keys(clients).length
for (const [name, ask] of Object.entries(clients)) {
  t.test(`${name} waits as long as a 429 asks for, and is then admitted`, {
    skip: isMissing(name) && 'it is not installed here'
  }, async (t) => {
    const headers = { 'x-forwarded-for': client() }
    t.equal((await fetch(url, { headers })).status, 200)
    t.equal(await ask(headers), 200)
    t.strictSame(answers.get(headers['x-forwarded-for']), [200, 429, 200], 'it asked again once, and not too early')
  })
}

t.end()

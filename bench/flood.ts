import { once } from 'node:events'
import { Agent, request } from 'node:http'

// Logs in over many connections, in a process of its own, until a message stops it. Then it reports the answers.

const [url, body, connections, patience] = process.argv.slice(2) as [string, string, string, 'patient' | 'impatient']
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const over = new AbortController()
const counts = { admitted: 0, shed: 0, wrong: 0 }

async function logIn (): Promise<void> {
  const login = request(`${url}/api/auth/login`, {
    method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  })
  login.end(body)
  const [response] = await once(login, 'response')
  response.resume()
  await once(response, 'end')
  const waitSeconds = Number(response.headers['retry-after'])
  if (response.statusCode === 200) counts.admitted++
  else if (response.statusCode !== 503 || !(waitSeconds >= 1)) counts.wrong++
  else {
    counts.shed++
    if (patience === 'patient') await new Promise(resolve => setTimeout(resolve, waitSeconds * 1000))
  }
}

const lanes = Array.from({ length: Number(connections) }, async () => {
  while (!over.signal.aborted) await logIn().catch(() => { counts.wrong++ })
})
process.once('message', async () => {
  over.abort()
  await Promise.all(lanes)
  process.send!(counts)
  process.disconnect()
})

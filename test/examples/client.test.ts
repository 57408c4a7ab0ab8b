// The example of a typed client runs as its reader runs it.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { startApp } from '../fixtures/app.js'

const { app, user } = await startApp(t)
const GATEHOUSE_URL = await app.listen({ port: 0, host: '127.0.0.1' })
const example = fileURLToPath(new URL('../../examples/client/client.js', import.meta.url))

/** As its reader runs it. */
async function run (username: string, password: string): Promise<string> {
  const env = { ...process.env, GATEHOUSE_URL, USERNAME: username, PASSWORD: password }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example], { env })
  return stdout
}

t.test('a client with types from the document logs in, asks who it is, renews its token and logs out', async (t) => {
  const { username, password } = await user()
  t.equal(await run(username, password),
    `${username} has the role USER\nlogged out\n`)
})

t.end()

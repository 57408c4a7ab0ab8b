// Every request takes the steps of the entry before the hooks of its route.

import fastify from 'fastify'
import t from 'tap'
import entry from '#src/plugins/edge/entry.js'
import { startApp } from '../../fixtures/app.js'

const { app } = await startApp(t)
const lines = app.printRoutes({ includeHooks: true, commonPrefix: false }).split('\n')

/** The functions that requests to a route meet. */
function hooksOf (route: string): Record<string, string[]> {
  const from = lines.findIndex(line => line.endsWith(`${route}`)) + 1
  const rest = lines.slice(from)
  const hooks = rest.slice(0, rest.findIndex(line => !line.includes('•')))
  return Object.fromEntries(hooks.map((line) => {
    const [, name, functions] = /\((\w+)\) (\[.*\])/.exec(line)!
    return [name!, JSON.parse(functions!) as string[]]
  }))
}

t.test('the functions of an operation alone come after those of all', async (t) => {
  const login = hooksOf('/api/auth/login (POST)')

  t.equal(login.onRequest![0], 'enter()')
  t.equal(login.onRequest!.at(-1), 'shedIfFull()')
  t.strictSame(login.onSend, ['settle()', 'leaveUs()', 'secure()', 'leavePlace()'])
  t.strictSame(login.onResponse, ['finish()'])
})

t.test('a request that was answered while a step waited takes no further step', async (t) => {
  const small = fastify()
  t.after(() => small.close())
  await small.register(entry)
  let further = 0
  small.onEntry(() => (_request, reply, goOn) => {
    setImmediate(() => {
      reply.code(400).send('broken')
      goOn()
    })
    return false
  })
  small.onEntry(() => () => {
    further++
    return true
  })
  small.get('/', () => 'whole')
  t.equal((await small.inject('/')).body, 'broken')
  t.equal(further, 0)
})

t.end()

// deploy/swarm/stack.yml is one that Docker takes, of files and settings that exist.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { secrets as secretNames, variables } from '#src/config/variables.js'
import { root } from './fixtures/markdown.js'

const file = join(root, 'deploy/swarm/stack.yml')
const text = readFileSync(file, 'utf8')
const { services, configs, secrets } = parse(text, { merge: true })
const secretFiles = secretNames.map(name => `${name}_FILE`)
const skip = spawnSync('docker', ['stack', 'config', '--help']).status !== 0 && 'docker is not on PATH'

t.test('docker reads the stack, and asks for each variable that has no default', { skip }, async (t) => {
  const config = (environment: NodeJS.Dict<string>): ReturnType<typeof spawnSync> => spawnSync(
    'docker', ['stack', 'config', '--compose-file', file],
    { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment } }
  )
  const required = [...new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!))]
  t.ok(required.includes('PUBLIC_URL'))
  const all = Object.fromEntries(required.map(name => [name, 'x']))
  const { status, stderr } = config(all)
  t.equal(status, 0, String(stderr))
  for (const name of required) t.not(config({ ...all, [name]: undefined }).status, 0, name)
})

t.test('every setting is one of the service, and every file is there', async (t) => {
  for (const name of ['api', 'migrate']) {
    for (const setting of Object.keys(services[name].environment)) {
      t.ok(setting in variables || secretFiles.includes(setting), setting)
    }
    for (const secret of services[name].secrets) t.ok(secrets[secret], secret)
  }
  for (const { file } of Object.values<{ file: string }>(configs)) {
    t.ok(existsSync(join(root, 'deploy/swarm', file)), file)
  }
  for (const { source } of [...services.lb.configs, ...services.api.configs]) t.ok(configs[source], source)
})

t.test('a release starts each replica before it ends one, and the balancer knows who the clients are', async (t) => {
  t.match(services.api.deploy, {
    endpoint_mode: 'dnsrr', update_config: { order: 'start-first', failure_action: 'rollback' }
  })
  t.match(services.lb, { ports: [{ mode: 'host' }], deploy: { mode: 'global' } })
  t.match(services.migrate.deploy, { mode: 'replicated-job', restart_policy: { condition: 'on-failure' } })
})

t.end()

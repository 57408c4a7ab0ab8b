// deploy/swarm/stack.yml is one that Docker takes, of files and settings that exist.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { secrets as secretNames, variables } from '#src/config/variables.js'
import { newDirectory } from './fixtures/lifetime.js'
import { root } from './fixtures/markdown.js'

const file = join(root, 'deploy/swarm/stack.yml')
const text = readFileSync(file, 'utf8')
const { services, configs, secrets } = parse(text, { merge: true })
const secretFiles = secretNames.map(name => `${name}_FILE`)
const skip = spawnSync('docker', ['stack', 'config', '--help']).status !== 0 && 'docker is not on PATH'

/** What Docker makes of the stack, and of other files. */
function stackOf (environment: NodeJS.Dict<string>, ...others: string[]) {
  const files = [file, ...others].flatMap(name => ['--compose-file', name])
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PUBLIC_URL: 'x', GATEHOUSE_IMAGE: 'x', SECRETS_VERSION: '1', ...environment }
  const { stdout, stderr } = spawnSync('docker', ['stack', 'config', ...files], { encoding: 'utf8', env })
  if (stdout === '') throw new Error(stderr)
  const { services, secrets } = parse(stdout)
  return { api: services.api, secrets }
}

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

t.test('the stack hands on what docker compose does, but for secrets that not everyone has', async (t) => {
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }).services
  const notForAll = ['JWT_PRIVATE_KEY_FILE', 'SECOND_FACTOR_KEY_FILE', 'OPS_TOKEN_FILE', 'SMTP_TOKEN_URL_FILE']
  const left = new Set<string>([...secretNames, ...notForAll])
  for (const name of ['lb', 'api', 'migrate']) {
    const handedOn = Object.keys(compose[name].environment).filter(setting => !left.has(setting))
    t.same(Object.keys(services[name].environment).sort(), handedOn.sort(), name)
  }
  for (const [setting, value] of Object.entries<string>(compose.api.environment)) {
    if (value.startsWith(`\${${setting}:-`) && setting !== 'PUBLIC_URL' && !left.has(setting)) {
      t.equal(services.api.environment[setting], value, setting)
    }
  }
})

t.test('a second file adds a secret that not everyone has, as the page says', { skip }, async (t) => {
  const [, section] = readFileSync(join(root, 'docs/scale.md'), 'utf8').split('### Swarm')
  const [, added] = /```yaml\n([^]*?)```/.exec(section!)!
  const { api, secrets } = stackOf({}, join(newDirectory(t, { main: added! }), 'main'))
  const sources = (api.secrets as Array<{ source: string }>).map(({ source }) => source)
  t.same(sources.sort(), [...services.api.secrets, 'smtp_token_url'].sort())
  t.match(api.environment, { SMTP_TOKEN_URL_FILE: '/run/secrets/smtp_token_url', DATABASE_URL_FILE: String })
  t.ok(secrets.smtp_token_url)
})

t.test('the replicas trust the balancer, and what is in front of it', { skip }, async (t) => {
  for (const [edges, trusted] of [[undefined, '127.0.0.1'], ['192.0.2.1,192.0.2.2', '192.0.2.1,192.0.2.2']]) {
    const { TRUST_PROXY } = stackOf({ EDGE_NETWORKS: edges }).api.environment
    t.equal(TRUST_PROXY, `10.203.116.0/24,${trusted}`)
  }
})

t.test('every setting is one of the service, and every file is there', async (t) => {
  for (const name of ['api', 'migrate']) {
    for (const setting of Object.keys(services[name].environment)) {
      t.ok(setting in variables || secretFiles.includes(setting) || setting.startsWith('OTEL_'), setting)
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

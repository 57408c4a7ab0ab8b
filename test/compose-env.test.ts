// The script that prepares docker compose keeps what is there already, and compose hands on settings, and secrets as
// files.

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { secrets, variables } from '#src/config/variables.js'
import { newDirectory } from './fixtures/lifetime.js'
import { root } from './fixtures/markdown.js'
import { noOpenssl } from './fixtures/openssl.js'

interface Installation {
  directory: string
  run: (...args: string[]) => string
  env: () => NodeJS.Dict<string>
  secret: (name: string) => string
}

function install (t: Test): Installation {
  const directory = newDirectory(t)
  mkdirSync(join(directory, 'deploy/certs'), { recursive: true })
  const script = join(directory, 'deploy/compose-env.js')
  copyFileSync(new URL('../deploy/compose-env.js', import.meta.url), script)
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  return {
    directory,
    run: (...args) => execFileSync(process.execPath, [script, ...args], {
      encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']
    }),
    // Without a prototype in Node 26.
    env: () => ({ ...parseEnv(readFileSync(join(directory, '.env'), 'utf8')) }),
    secret: name => readFileSync(join(directory, 'deploy/secrets', name), 'utf8').trim()
  }
}

t.test('a self-signed certificate is added to an existing .env, and only the group can read its key', {
  skip: noOpenssl
}, async (t) => {
  const { directory, run, env } = install(t)
  writeFileSync(join(directory, '.env'), 'LOG_LEVEL=warn')
  const certificate = join(directory, 'deploy/certs/self-signed.pem')
  writeFileSync(certificate, 'an old one')
  chmodSync(certificate, 0o666)
  run('--self-signed')
  t.match(env(), {
    LOG_LEVEL: 'warn',
    TLS_CERTIFICATE: './deploy/certs/self-signed.pem',
    PUBLIC_URL: 'https://localhost:8443'
  })
  t.equal(statSync(certificate).mode & 0o007, 0)
  t.match(readFileSync(certificate, 'utf8'), /BEGIN PRIVATE KEY[^]*BEGIN CERTIFICATE/)
})

t.test('without a .env the secrets are made as well, and a second run changes nothing', {
  skip: noOpenssl
}, async (t) => {
  const { run, env, secret } = install(t)
  run('--self-signed')
  const first = env()
  const jwtSecret = secret('jwt_secret')
  t.strictSame(Object.keys(first).sort(), ['COMPOSE_PROJECT_NAME', 'PUBLIC_URL', 'TLS_CERTIFICATE', 'TLS_GROUP'])
  t.throws(() => run('--self-signed'), /has TLS_CERTIFICATE already/)
  t.throws(() => run(), /is there already and stays as it is/)
  t.strictSame(env(), first)
  t.equal(secret('jwt_secret'), jwtSecret)
})

t.test('the secrets of an earlier .env move into files in a closed folder', async (t) => {
  const { directory, run, env, secret } = install(t)
  writeFileSync(join(directory, '.env'), 'PORT=1\nDATABASE_PASSWORD=a/c\nJWT_SECRET=def\nLOG_LEVEL=warn')

  run()

  t.strictSame(env(), { PORT: '1', LOG_LEVEL: 'warn' })
  t.equal(secret('database_password'), 'a/c')
  t.equal(secret('database_url'), 'postgresql://gatehouse:a%2Fc@postgres:5432/gatehouse')
  t.equal(secret('jwt_secret'), 'def')
  t.match(secret('redis_url'), /^redis:\/\/:[\w-]{48}@redis:6379$/)
  t.equal(statSync(join(directory, 'deploy/secrets')).mode & 0o777, 0o700)
})

t.test('the example module is added to an existing .env, once, and never over modules that are there', async (t) => {
  const { directory, run, env } = install(t)
  writeFileSync(join(directory, '.env'), 'LOG_LEVEL=warn')
  run('--modules')
  const first = env()
  t.match(first, {
    LOG_LEVEL: 'warn',
    COMPOSE_PROFILES: 'modules',
    MODULES: '/api/student=http://student:8080',
    STUDENT_DATABASE_PASSWORD: /^[\w-]{48}$/
  })
  t.throws(() => run('--modules'), /has COMPOSE_PROFILES already/)
  t.strictSame(env(), first)
  writeFileSync(join(directory, '.env'), 'MODULES=/api/hostel=http://hostel:8080')
  t.throws(() => run('--modules'), /has MODULES already and stays as it is/)
})

t.test('docker compose hands on every setting of .env, but for those that its containers fix', async (t) => {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
  const handedOn = services.api.environment as Record<string, string>
  // UV_THREADPOOL_SIZE is not read from .env anywhere.
  const fixed = ['HOST', 'PORT', 'OPS_PORT', 'DATA_DIR', 'UV_THREADPOOL_SIZE']
  t.same(Object.keys(variables).filter(name => !(name in handedOn || `${name}_FILE` in handedOn)), fixed)
  for (const name of secrets) {
    t.match(handedOn[`${name}_FILE`], new RegExp(`/run/secrets/${name.toLowerCase()}\\b`))
    t.equal(handedOn[name], `\${${name}:-}`, `${name} is a fault beside its file`)
  }
  for (const [name, value] of Object.entries(handedOn)) {
    if (name.startsWith('OTEL_')) t.equal(value, `\${${name}:-}`)
  }
})

t.end()

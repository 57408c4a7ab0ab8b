// Writes .env, and files with new secrets in deploy/secrets, for docker-compose.yml, once: PostgreSQL keeps the first
// password that it was given. Secrets of an earlier .env move there. With --self-signed it also makes a certificate for
// https://localhost:8443, to try HTTPS with. With --modules it adds the module of examples/student.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const env = new URL('../.env', import.meta.url)
const certificate = new URL('certs/self-signed.pem', import.meta.url)
const secrets = new URL('secrets/', import.meta.url)
const secret = () => randomBytes(36).toString('base64url')
/** Files that containers read, whose users are others. A clone under a strict umask lets only its owner read them. */
const mounted = ['grafana', 'haproxy', 'limits.json', 'modules.json', 'postgres-role.sh', 'prometheus']
  .map(name => fileURLToPath(new URL(name, import.meta.url))).filter(path => existsSync(path))

try {
  if (process.argv.includes('--self-signed')) addSelfSigned()
  else if (process.argv.includes('--modules')) addModules()
  else if (existsSync(new URL('jwt_secret', secrets))) {
    throw new Error('deploy/secrets: is there already and stays as it is')
  } else writeSecrets()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function writeSecrets () {
  if (mounted.length > 0) execFileSync('chmod', ['-R', 'go+rX', ...mounted])
  const earlier = parseEnv(read(env))
  const {
    POSTGRES_PASSWORD: owner = secret(), DATABASE_PASSWORD: service = secret(), REDIS_PASSWORD: redis = secret(),
    JWT_SECRET: jwtSecret = secret(), OPS_TOKEN: opsToken = secret(), SMTP_URL: smtpUrl = 'smtp://mail:1025?tls=optional'
  } = earlier
  const databaseUrl = (user, password) => `postgresql://${user}:${encodeURIComponent(password)}@postgres:5432/gatehouse`
  // Nobody else on this machine may enter the folder. The containers, whose users are others, are given single files.
  mkdirSync(secrets, { recursive: true, mode: 0o700 })
  chmodSync(secrets, 0o700)
  for (const [name, text] of Object.entries({
    postgres_password: owner,
    database_password: service,
    redis_password: redis,
    database_url: databaseUrl('gatehouse', service),
    owner_database_url: databaseUrl('owner', owner),
    redis_url: `redis://:${encodeURIComponent(redis)}@redis:6379`,
    ops_token: opsToken,
    smtp_url: smtpUrl,
    jwt_secret: jwtSecret
  })) writeFileSync(new URL(name, secrets), `${text}\n`, { flag: 'wx', mode: 0o644 })
  const moved = /^(POSTGRES_PASSWORD|DATABASE_PASSWORD|REDIS_PASSWORD|JWT_SECRET|OPS_TOKEN|SMTP_URL)=.*\n?/gm
  const rest = read(env).replace(moved, '')
  const project = 'COMPOSE_PROJECT_NAME' in earlier || rest !== '' ? '' : 'COMPOSE_PROJECT_NAME=gatehouse\n'
  writeFileSync(env, `${project}${rest}`, { mode: 0o600 })
  console.log('deploy/secrets: written; keep it, because the passwords of the database are in there, too')
}

function addSelfSigned () {
  refuseIfSet(['TLS_CERTIFICATE', 'PUBLIC_URL'])
  // The key's file is the group's to read, and TLS_GROUP makes HAProxy, a user without rights, a member of that group.
  rmSync(certificate, { force: true })
  writeFileSync(certificate, newCertificate(), { mode: 0o640 })
  add(`TLS_CERTIFICATE=./deploy/certs/self-signed.pem
TLS_GROUP=${process.getgid()}
PUBLIC_URL=https://localhost:8443
`)
  console.log('.env: names deploy/certs/self-signed.pem, which no client trusts by itself, for https://localhost:8443')
}

function addModules () {
  refuseIfSet(['COMPOSE_PROFILES', 'MODULES', 'STUDENT_DATABASE_PASSWORD'])
  add(`COMPOSE_PROFILES=modules
MODULES=/api/student=http://student:8080
STUDENT_DATABASE_PASSWORD=${secret()}
`)
  console.log('.env: starts examples/student with the service, for /api/student')
}

function refuseIfSet (names) {
  const present = names.find(name => new RegExp(`^${name}=`, 'm').test(read(env)))
  if (present) throw new Error(`.env: has ${present} already and stays as it is`)
}

/** Secrets that are there already stay. */
function add (lines) {
  if (!existsSync(new URL('jwt_secret', secrets))) writeSecrets()
  const lastLineEnds = /^$|\n$/.test(read(env))
  appendFileSync(env, `${lastLineEnds ? '' : '\n'}${lines}`)
}

function read (file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return ''
  }
}

/** @returns the certificate and its key, in PEM */
function newCertificate () {
  return execFileSync('openssl', [
    'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1', '-keyout', '-', '-out', '-'
  ], { stdio: ['ignore', 'pipe', 'pipe'] })
}

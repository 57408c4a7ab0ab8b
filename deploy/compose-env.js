// Writes .env with new secrets for docker-compose.yml, once: PostgreSQL keeps the first password that it was given.
// With --self-signed it also makes a certificate for https://localhost:8443, to try HTTPS with. With --modules it adds
// the module of examples/student.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const env = new URL('../.env', import.meta.url)
const certificate = new URL('certs/self-signed.pem', import.meta.url)
const secret = () => randomBytes(36).toString('base64url')

try {
  if (process.argv.includes('--self-signed')) addSelfSigned()
  else if (process.argv.includes('--modules')) addModules()
  else writeSecrets()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function writeSecrets () {
  try {
    writeFileSync(env, `# Made by npm run compose:env. Keep it: the database's passwords are in here, too.
COMPOSE_PROJECT_NAME=gatehouse
POSTGRES_PASSWORD=${secret()}
DATABASE_PASSWORD=${secret()}
REDIS_PASSWORD=${secret()}
JWT_SECRET=${secret()}
OPS_TOKEN=${secret()}
`, { flag: 'wx', mode: 0o600 })
    console.log('.env: written, with new secrets')
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    throw new Error('.env: is there already and stays as it is; docker-compose.yml needs POSTGRES_PASSWORD, ' +
      'DATABASE_PASSWORD, REDIS_PASSWORD and JWT_SECRET in it')
  }
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

/** A .env that is there already keeps its secrets. */
function add (lines) {
  if (!existsSync(env)) writeSecrets()
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

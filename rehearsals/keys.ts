import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { newKeyPair } from '../test/fixtures/keys.js'
import type { Phone } from '../test/fixtures/phone.js'
import { PASSWORD } from './clients.js'
import type { Fleet, Replica } from './fleet.js'
import { enrolBy } from './phone.js'
import type { Rehearsal, Step } from './rehearsal.js'

/** Entries of "Rotating keys", and a key that leaked. */
const reload = 'docker compose kill --signal HUP api'
const [NEW_SECRET, NEXT_SECRET] = ['b7Wn2KcX9pRt4LmZ8sQv6HdYf3GjE1aU', 'u5Tz8MeJ1nBx7VcK4wPs9RgQh2LyD6fO']
/** Until the balancer uses a replica that was restarted. */
const BALANCER_MS = 2500
const NEW_DATABASE_PASSWORD = 'another-password-of-postgres'

/** What JWT_SECRET_FILE had, with which other people's tokens are signed. */
let former = ''
/** Of the old key, and one of each step so far. */
let tokens: string[] = []

export const keys: Rehearsal[] = [
  {
    name: 'rotate-secret',
    entry: 'A new JWT_SECRET',
    critical: true,
    stagedBy: 'tokens of the old secret, and replicas that have read a step, beside others that have not',
    stage: rememberToken,
    lasts: oldTokenCounts,
    // It is not an hour later, so people still have tokens of the old secret.
    answers: [401],
    cure: [
      step('1. Add the new secret at the end (`old,new`), and reload all replicas', async (fleet) => {
        writeFileSync(secretFile(fleet), `${readSecrets(fleet)},${NEW_SECRET}`)
        await oneByOne(fleet, async ({ server }) => server!.signal('SIGHUP'))
      }),
      step('2. Move it to the front (`new,old`), and reload all replicas', async (fleet) => {
        writeFileSync(secretFile(fleet), readSecrets(fleet).split(',').reverse().join())
        await oneByOne(fleet, async (replica) => {
          await fleet.restart(replica)
          await setTimeout(BALANCER_MS)
        })
      }),
      step('3. An hour later, when no token of the old one is left, remove it', async (fleet) => {
        writeFileSync(secretFile(fleet), NEW_SECRET)
      }),
      reload
    ],
    recovers: 'within 2 s',
    after: [step('A new JWT_SECRET', fleet => bringBack(fleet, NEW_SECRET))]
  },
  {
    name: 'secret-leaked',
    entry: 'A signing key leaked',
    stagedBy: 'a token that somebody made with the secret',
    async stage (fleet) {
      const token = await fleet.tokenOf({ username: 'pupil.18' })
      former = readSecrets(fleet)
      tokens = [forge(token, readSecrets(fleet).split(',')[0]!)]
    },
    lasts: oldTokenCounts,
    answers: [401],
    cure: [
      step('Put a new key in front and remove the old one at once, on all replicas', async (fleet) => {
        writeFileSync(secretFile(fleet), NEXT_SECRET)
      }),
      reload
    ],
    recovers: 'within 2 s',
    after: [step('Everyone has to log in again', fleet => bringBack(fleet, NEXT_SECRET))]
  },
  {
    name: 'rotate-private-key',
    entry: 'A new JWT_PRIVATE_KEY',
    stagedBy: 'replicas that sign with a private key',
    async stage (fleet) {
      privateKeys = [newPem(), newPem()]
      writeFileSync(keyFile(fleet), privateKeys[0]!)
      fleet.environment.JWT_PRIVATE_KEY_FILE = keyFile(fleet)
      await fleet.restartOneByOne()
      await rememberToken(fleet)
    },
    lasts: async fleet => (await keySet(fleet)).includes(kidOf(tokens[0]!)),
    cure: [
      step('1. Add the new key at the end, and reload all replicas', async (fleet) => {
        writeFileSync(keyFile(fleet), privateKeys.join('\n'))
        await oneByOne(fleet, async ({ server }) => server!.signal('SIGHUP'))
      }),
      step('2. Move it to the front, and reload all replicas', async (fleet) => {
        const cached = await keySet(fleet)
        writeFileSync(keyFile(fleet), [...privateKeys].reverse().join('\n'))
        await oneByOne(fleet, async ({ server }) => server!.signal('SIGHUP'))
        const unknown = tokens.map(kidOf).filter(kid => !cached.includes(kid))
        if (unknown.length > 0) throw new Error('a verifier that has cached the key set knows a token\'s key not')
      }),
      step('3. An hour later, remove the old one', async (fleet) => {
        writeFileSync(keyFile(fleet), privateKeys[1]!)
      }),
      reload
    ],
    recovers: 'within 2 s',
    after: [step('A new JWT_PRIVATE_KEY', async (fleet) => {
      delete fleet.environment.JWT_PRIVATE_KEY_FILE
      await fleet.restartOneByOne()
    })]
  },
  {
    name: 'rotate-factor-key',
    entry: 'A new SECOND_FACTOR_KEY',
    stagedBy: 'a second factor that the old key has sealed',
    async stage (fleet) {
      phone = await enrolBy(fleet, 'pupil.19')
    },
    lasts: async (fleet) => {
      if (readFileSync(factorKeyFile(fleet), 'utf8') !== NEW_SECRET) return true
      const finding = (await fleet.doctor()).find(({ check }) => check === 'second-factor-key')
      return finding?.status !== 'ok'
    },
    cure: [
      step('1. Add the new key at the end (`old,new`), and reload all replicas', async (fleet) => {
        writeFileSync(factorKeyFile(fleet), `${readFileSync(factorKeyFile(fleet), 'utf8')},${NEW_SECRET}`)
        await oneByOne(fleet, async ({ server }) => server!.signal('SIGHUP'))
      }),
      step('2. Move it to the front (`new,old`), and reload all replicas', async (fleet) => {
        writeFileSync(factorKeyFile(fleet), readFileSync(factorKeyFile(fleet), 'utf8').split(',').reverse().join())
        await oneByOne(fleet, async ({ server }) => server!.signal('SIGHUP'))
      }),
      step('Each login seals with the new key', async (fleet) => {
        const reply = await fleet.logIn({ username: 'pupil.19', code: phone.code() })
        if (!reply.ok) throw new Error(`a login with a code is answered ${reply.status}`)
      }),
      step('Remove the old one', async (fleet) => { writeFileSync(factorKeyFile(fleet), NEW_SECRET) }),
      reload
    ],
    recovers: 'within 2 s'
  },
  {
    name: 'rotate-database-password',
    entry: 'A new password of PostgreSQL',
    stagedBy: 'a password that has to go',
    async stage (fleet) {
      fleet.environment.DATABASE_URL_FILE = join(fleet.directory, 'database_url')
      writeFileSync(fleet.environment.DATABASE_URL_FILE, fleet.environment.DATABASE_URL!)
      delete fleet.environment.DATABASE_URL
      await fleet.restartOneByOne()
    },
    lasts: async ({ postgres }) => await postgres.connect(postgres.url).then(async (client) => {
      await client.end()
      return true
    }, () => false),
    answers: [503],
    cure: [
      step('Write the new one into `database_password` and `database_url`', async ({ environment }) => {
        const url = readFileSync(environment.DATABASE_URL_FILE!, 'utf8')
        writeFileSync(environment.DATABASE_URL_FILE!, url.replace(':gatehouse@', `:${NEW_DATABASE_PASSWORD}@`))
      }),
      'docker compose exec -T postgres psql -U owner gatehouse -c "ALTER ROLE gatehouse PASSWORD',
      reload
    ],
    values: () => ({ 'THE NEW ONE': NEW_DATABASE_PASSWORD }),
    recovers: 'within 2 s',
    after: [step('New connections succeed', async (fleet) => {
      const { databaseNetwork, environment } = fleet
      databaseNetwork.tear()
      await fleet.tokenOf()
      await fleet.sql('ALTER ROLE gatehouse PASSWORD \'gatehouse\'')
      environment.DATABASE_URL = readFileSync(environment.DATABASE_URL_FILE!, 'utf8')
        .replace(NEW_DATABASE_PASSWORD, 'gatehouse')
      delete environment.DATABASE_URL_FILE
      await fleet.restartOneByOne()
    })]
  }
]

let privateKeys: string[] = []
let phone: Phone

function step (words: string, act: (fleet: Fleet) => Promise<unknown>): Step {
  return { words, act }
}

function secretFile ({ environment }: Fleet): string {
  return environment.JWT_SECRET_FILE!
}

function readSecrets (fleet: Fleet): string {
  return readFileSync(secretFile(fleet), 'utf8')
}

function factorKeyFile ({ environment }: Fleet): string {
  return environment.SECOND_FACTOR_KEY_FILE!
}

function keyFile ({ directory }: Fleet): string {
  return join(directory, 'jwt_private_key')
}

async function rememberToken (fleet: Fleet): Promise<void> {
  former = readSecrets(fleet)
  tokens = [await fleet.tokenOf({ username: 'pupil.18' })]
}

async function oldTokenCounts (fleet: Fleet): Promise<boolean> {
  return await fleet.me(tokens[0]!) === 200
}

/** After each replica, one more token of each, and all tokens so far at each. @throws if one is refused */
async function oneByOne (fleet: Fleet, take: (replica: Replica) => Promise<unknown>): Promise<void> {
  for (const replica of fleet.replicas) {
    await take(replica)
    for (const one of fleet.replicas) tokens.push(await tokenAt(fleet, one))
    for (const one of fleet.replicas) for (const token of tokens) await mustCount(token, one, fleet.newAddress())
  }
}

async function tokenAt ({ newAddress }: Fleet, { place, name }: Replica): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${place.PORT}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
    body: JSON.stringify({ username: 'pupil.18', password: PASSWORD })
  })
  if (!reply.ok) throw new Error(`${name} answers a login with ${reply.status}`)
  return (await reply.json() as { data: { token: string } }).data.token
}

async function mustCount (token: string, { place, name }: Replica, from: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from }
  const { ok, status } = await fetch(`http://127.0.0.1:${place.PORT}/api/auth/me`, { headers })
  if (!ok) throw new Error(`${name} answers a token of before with ${status}`)
}

/** People who have tokens of an old secret go on. */
async function bringBack (fleet: Fleet, secret: string): Promise<void> {
  writeFileSync(secretFile(fleet), `${secret},${former}`)
  await fleet.shell(reload)
}

/** As somebody does who has the secret. */
function forge (token: string, secret: string): string {
  const [header = '', payload = ''] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()) as object, jti: 'forged' }
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function newPem (): string {
  return newKeyPair('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function kidOf (token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid
}

async function keySet ({ ask }: Fleet): Promise<string[]> {
  const { keys } = await (await ask('/.well-known/jwks.json')).json() as { keys: Array<{ kid: string }> }
  return keys.map(({ kid }) => kid)
}

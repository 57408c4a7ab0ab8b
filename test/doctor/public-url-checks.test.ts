// gatehouse doctor says of a certificate what it knows: a machine that does not know who signed it is no fault of it.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '#src/config/load.js'
import { publicUrlChecks } from '#src/doctor/public-url-checks.js'
import { runChecks } from '#src/doctor/run-checks.js'
import { newDirectory } from '../fixtures/lifetime.js'

const directory = newDirectory(t)
const openssl = (...args: string[]): unknown =>
  execFileSync('openssl', args.map(arg => arg.replace(/^\.\//, `${directory}/`)), { stdio: 'pipe' })
const certify = (name: string, ...signer: string[]): unknown => openssl(
  'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30',
  '-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost',
  '-keyout', `./${name}.key`, '-out', `./${name}.pem`, ...signer)

const pem = (name: string): string => readFileSync(join(directory, name), 'utf8')

t.test('a certificate of an unknown authority is a note, and one that signs itself is an action', async (t) => {
  certify('school')
  certify('erp', '-CA', './school.pem', '-CAkey', './school.key')
  const found = async (cert: string, key: string) => {
    const server = createServer({ cert, key: pem(key) }).listen(0)
    t.after(() => server.close())
    await once(server, 'listening')
    const config = readConfig({ PUBLIC_URL: `https://localhost:${(server.address() as AddressInfo).port}` })
    const { 'public-url': check } = publicUrlChecks({
      config, store: undefined, takeError: undefined, timeUp: AbortSignal.timeout(20_000)
    } as Parameters<typeof publicUrlChecks>[0])
    return (await runChecks({ 'public-url': check! }, new AbortController().signal)).at(-1)
  }

  const unknown = { status: 'note', found: /^this machine does not know/, remedy: /whole chain.*NODE_EXTRA_CA_CERTS/ }
  t.match(await found(pem('erp.pem'), 'erp.key'), unknown)
  t.match(await found(pem('erp.pem') + pem('school.pem'), 'erp.key'), unknown, 'with the authority')
  t.match(await found(pem('school.pem'), 'school.key'), { status: 'action', found: /^no client accepts/ })
})

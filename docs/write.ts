import { readFileSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { buildApp } from '../src/app.js'
import { readConfig } from '../src/config/load.js'
import { withTables } from '../test/fixtures/reference.js'

/* `npm run openapi` and `npm run docs:reference`: what is made of the source. Tests say when to repeat it. */

const [part] = process.argv.slice(2)
const reference = 'docs/reference.md'
if (part === 'reference') writeFileSync(reference, withTables(readFileSync(reference, 'utf8')))
if (part === 'openapi') writeFileSync('openapi.json', await openapi())

/** No server is asked, so none has to run. */
async function openapi (): Promise<string> {
  const config = readConfig({ DATABASE_URL: 'postgresql://nobody:none@127.0.0.1:1/none', JWT_SECRET: 'only for the routes: it signs no token' })
  const app = await buildApp(config, pino({ level: 'silent' }))
  const { body } = await app.inject('/docs/openapi.json')
  await app.close()
  return `${body}\n`
}

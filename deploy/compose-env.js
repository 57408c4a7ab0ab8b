// Writes .env with new secrets for docker-compose.yml, once: PostgreSQL keeps the first password that it was given.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const file = new URL('../.env', import.meta.url)
const secret = () => randomBytes(36).toString('base64url')

try {
  writeFileSync(file, `# Made by npm run compose:env. Keep it: the database's passwords are in here, too.
COMPOSE_PROJECT_NAME=gatehouse
POSTGRES_PASSWORD=${secret()}
DATABASE_PASSWORD=${secret()}
REDIS_PASSWORD=${secret()}
JWT_SECRET=${secret()}
`, { flag: 'wx', mode: 0o600 })
  console.log('.env: written, with new secrets')
} catch (error) {
  if (error.code !== 'EEXIST') throw error
  console.error('.env: is there already and stays as it is; docker-compose.yml needs POSTGRES_PASSWORD, DATABASE_PASSWORD, REDIS_PASSWORD and JWT_SECRET in it')
  process.exitCode = 1
}

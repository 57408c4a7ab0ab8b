import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A secret that nobody has set. It is made at the first start and stored under its name, so that it stays the same
 * after a restart.
 *
 * @throws when the file cannot be made, or its content is too short for a secret
 */
export function generatedSecret (dataDir: string, name: 'jwt-secret' | 'ops-token' | 'second-factor-key'): string {
  const file = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) {
    throw new Error(`${file} is empty or cut off: remove it, and a new secret is made at the next start`)
  }
  return secret
}

import { isUtf8 } from 'node:buffer'
import { read } from 'read'
import { passwordFault } from '../../auth/password-policy.js'
import { createPasswords } from '../../auth/passwords.js'
import type { Config } from '../../config/config.js'
import { Failure, UsageError } from '../output.js'

/** Asks twice at a terminal, where the input is not shown. Otherwise it reads the first line of standard input. */
export async function readPassword (username: string): Promise<string> {
  const password = process.stdin.isTTY ? await prompt(`Password for ${username}:`) : await readLine()
  const fault = passwordFault(password, username)
  if (fault) throw new UsageError(`the password ${fault}`)
  if (process.stdin.isTTY && await prompt('The same again:') !== password) {
    throw new UsageError('the two passwords differ')
  }
  return password
}

async function prompt (question: string): Promise<string> {
  try {
    return await read({ prompt: question, silent: true, output: process.stderr })
  } catch {
    throw new Failure('no password was given')
  } finally {
    process.stderr.write('\n')
  }
}

async function readLine (): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  // No browser would send such a password, so nobody could log in with it.
  if (!isUtf8(bytes)) throw new UsageError('the password is not UTF-8: a file of it has to be saved as UTF-8')
  return bytes.toString().replace(/^\ufeff/, '').replace(/\r?\n.*/s, '')
}

export async function hashOf (password: string, { bcryptCost }: Config): Promise<string> {
  return await (await createPasswords({ cost: bcryptCost, concurrency: 1 })).hash(password)
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** How many attempts are made, 20 to 120 ms apart, before the directory counts as in use. */
const ATTEMPTS = 12
/** Node cuts a longer address of a socket. macOS allows four bytes less than Linux. */
const MAX_ADDRESS_BYTES = 103

/**
 * Locks `directory` for this process, because two processes on the same database files would destroy them.
 *
 * A candidate creates its own listening Unix socket in `<directory>.lock` and then tries to connect to every other
 * socket there. A socket that accepts proves that its process is alive, also across PID namespaces and containers that
 * share a volume. If there are two candidates, the later one sees the earlier one. So both may withdraw, but never both
 * stay. A refused connection means that the process is dead, so its file is removed. Names are never reused, so no
 * process removes the file of another one by mistake.
 *
 * @returns a function that releases the lock
 * @throws if another process holds the lock, or the file system has no sockets
 */
export async function lockDirectory (directory: string): Promise<() => Promise<void>> {
  const sockets = `${directory}.lock`
  for (let attempt = 1; ; attempt++) {
    const own = `${hostname().slice(0, 12)}-${process.pid}-${randomBytes(4).toString('hex')}`
    const release = await listen(sockets, own)
    const holder = await firstAlive(sockets, own)
    // If our file is gone, another candidate tried it between our bind and our listen. It then removed the file as that
    // of a dead process.
    if (holder === undefined && existsSync(join(sockets, own))) return release
    await release()
    if (attempt === ATTEMPTS) {
      throw new Error(`The embedded database is in use by ${nameOf(holder)}. Stop that process, or set DATA_DIR to ` +
        'another directory, or DATABASE_URL to a PostgreSQL server.')
    }
    await setTimeout(20 + 100 * Math.random())
  }
}

async function listen (sockets: string, name: string): Promise<() => Promise<void>> {
  const server = createServer(socket => socket.on('error', () => {}).destroy()).unref()
  try {
    mkdirSync(sockets, { recursive: true, mode: 0o700 })
    await once(server.listen(addressOf(sockets, name)), 'listening')
  } catch (cause) {
    throw new Error(`The embedded database cannot be locked in ${sockets}: ${(cause as Error).message}. Set DATA_DIR ` +
      'to a writable directory of a local file system, or DATABASE_URL to a PostgreSQL server.', { cause })
  }
  // This also removes the file.
  return () => new Promise((resolve) => { server.close(() => resolve()) })
}

async function firstAlive (sockets: string, own: string): Promise<string | undefined> {
  for (const name of readdirSync(sockets).filter(name => name !== own)) {
    const socket = connect(addressOf(sockets, name))
    try {
      await once(socket, 'connect')
      return name
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ECONNREFUSED') rmSync(join(sockets, name), { force: true })
      else if (code !== 'ENOENT') return name
    } finally {
      socket.on('error', () => {}).destroy()
    }
  }
}

/** From the working directory, `./data` has a short address wherever that directory is. */
function addressOf (sockets: string, name: string): string {
  const addresses = [join(sockets, name), relative('', join(sockets, name))]
  const fitting = addresses.find(address => Buffer.byteLength(address) <= MAX_ADDRESS_BYTES)
  if (fitting === undefined) throw new Error('the path is too long for a socket')
  return fitting
}

function nameOf (holder = 'another process'): string {
  return holder.replace(/^(.*)-(\d+)-[0-9a-f]{8}$/, 'process $2 of $1')
}

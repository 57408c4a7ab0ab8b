import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** How many attempts are made, 20 to 120 ms apart, before the directory counts as in use. */
const ATTEMPTS = 12
/** A longer address of a socket would be cut. macOS allows four bytes less than Linux. */
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
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  // Earlier releases used this file as the lock.
  rmSync(`${directory}.pid`, { force: true })
  for (let attempt = 1; ; attempt++) {
    const own = `${hostname().slice(0, 30)}-${process.pid}-${randomBytes(4).toString('hex')}`
    const server = await listen(sockets, own)
    const withdraw = async (): Promise<void> => {
      rmSync(join(sockets, own), { force: true })
      await new Promise(resolve => server.close(resolve))
    }
    const holder = await firstAlive(sockets, own)
    // If our file is gone, another candidate tried it between our bind and our listen. It then removed the file as that
    // of a dead process.
    if (holder === undefined && existsSync(join(sockets, own))) return withdraw
    await withdraw()
    if (attempt >= ATTEMPTS) throw inUse(holder ?? 'another process')
    await setTimeout(20 + 100 * Math.random())
  }
}

async function listen (directory: string, name: string): Promise<Server> {
  const server = createServer(socket => socket.on('error', () => {}).destroy()).unref()
  try {
    await withAddress(directory, name, address => once(server.listen(address), 'listening'))
    return server
  } catch (cause) {
    const why = `The embedded database cannot be locked in ${directory}: ${(cause as Error).message}. `
    throw new Error(`${why}Set DATA_DIR to a writable directory of a local file system, or ` +
      'DATABASE_URL to a PostgreSQL server.', { cause })
  }
}

async function firstAlive (directory: string, own: string): Promise<string | undefined> {
  for (const name of readdirSync(directory).filter(name => name !== own)) {
    const fault = await withAddress(directory, name, connectFault)
    if (fault === 'ECONNREFUSED') rmSync(join(directory, name), { force: true })
    else if (fault !== 'ENOENT') return name
  }
}

/** @returns undefined if it was accepted */
async function connectFault (address: string): Promise<string | undefined> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.on('error', () => {}).destroy()
  }
}

/**
 * On Linux the directory's file descriptor is used, so that the address of a socket stays short in a deep directory.
 */
async function withAddress<T> (directory: string, name: string, use: (address: string) => Promise<T>): Promise<T> {
  const direct = join(directory, name)
  if (Buffer.byteLength(direct) <= MAX_ADDRESS_BYTES) return await use(direct)
  if (!existsSync('/proc/self/fd')) {
    throw new Error(`the path is too long by ${Buffer.byteLength(direct) - MAX_ADDRESS_BYTES} bytes`)
  }
  const descriptor = openSync(directory, 'r')
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`)
  } finally {
    closeSync(descriptor)
  }
}

function inUse (holder: string): Error {
  const [, host, pid] = /^(.*)-(\d+)-[0-9a-f]{8}$/.exec(holder) ?? []
  const process = pid === undefined ? holder : `process ${pid} of ${host}`
  return new Error(
    `The embedded database is in use by ${process}. Stop that process, or set DATA_DIR to another directory, or ` +
      'DATABASE_URL to a PostgreSQL server.'
  )
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** How often it is tried, at 20 to 120 ms, before another process counts as one that stays. */
const ATTEMPTS = 12
/** A longer address of a socket would be cut; macOS has four bytes less than Linux. */
const MAX_ADDRESS_BYTES = 103

/**
 * Makes `directory` this process's alone; two processes over the same database files would destroy them.
 *
 * A candidate puts a listening Unix socket of its own into `<directory>.lock` and then tries to connect to every other
 * one there. A socket that accepts is the proof of life, across PID namespaces and containers that share a volume. Of
 * two candidates, the later one sees the earlier one, so both may withdraw but never both stay. A refused connection
 * means that its process is dead: its file goes. Names are never used twice, so nobody removes another's file by
 * mistake.
 *
 * @returns gives it back
 * @throws if another process keeps it, or the file system has no sockets
 */
export async function lockDirectory (directory: string): Promise<() => Promise<void>> {
  const sockets = `${directory}.lock`
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  // The lock of earlier releases.
  rmSync(`${directory}.pid`, { force: true })
  for (let attempt = 1; ; attempt++) {
    const own = `${hostname().slice(0, 30)}-${process.pid}-${randomBytes(4).toString('hex')}`
    const server = await listen(sockets, own)
    const withdraw = async (): Promise<void> => {
      rmSync(join(sockets, own), { force: true })
      await new Promise(resolve => server.close(resolve))
    }
    const holder = await firstAlive(sockets, own)
    // Somebody who looked between our bind and our listen took the file for a dead process's.
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
 * Linux reaches a file by its directory's descriptor, so that the address of a socket stays short in a deep directory.
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

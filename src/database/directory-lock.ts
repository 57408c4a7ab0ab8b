import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * Locks `directory` for this process, because two processes on the same database files would destroy them.
 *
 * Each process listens on a Unix socket of its own in `<directory>.lock`, and then connects to every other one there.
 * A socket that accepts proves that its process is alive, also across containers that share a volume. Of two processes
 * that start at once, the later one sees the earlier one. So both may fail, but never both succeed.
 *
 * @returns a function that releases the lock
 * @throws if another process holds the lock, or the file system has no sockets
 */
export async function lockDirectory (directory: string): Promise<() => Promise<void>> {
  const folder = `${directory}.lock`
  const own = `${randomBytes(4).toString('hex')} ${process.pid} of ${hostname().slice(0, 40)}`
  const { addressOf, release } = await listen(folder, own).catch((cause: Error) => {
    throw new Error(`The embedded database cannot be locked in ${folder}: ${cause.message}. Set DATA_DIR to a ` +
      'writable directory of a local file system, or DATABASE_URL to a PostgreSQL server.', { cause })
  })
  let holder: string | undefined
  for (const name of readdirSync(folder)) {
    if (name !== own && await accepts(addressOf(name))) holder = `process ${name.slice(name.indexOf(' ') + 1)}`
  }
  // If our file is gone, another process tried it before it accepted, and removed it as that of a dead process. It may
  // have ended since, so this comes last.
  if (!existsSync(join(folder, own))) holder ??= 'another process'
  if (holder === undefined) return release
  await release()
  throw new Error(`The embedded database is in use by ${holder}. Stop that process, or set DATA_DIR to another ` +
    'directory, or DATABASE_URL to a PostgreSQL server.')
}

async function listen (folder: string, own: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fd = openSync(folder, 'r')
  // The address of a socket has at most 103 bytes. Linux has a short path to each open folder.
  const addressOf = (name: string): string => join(existsSync('/proc/self/fd') ? `/proc/self/fd/${fd}` : folder, name)
  const server = createServer(socket => socket.on('error', () => {}).destroy()).unref()
  server.once('close', () => closeSync(fd))
  await once(server.listen(addressOf(own)), 'listening')
  // This also removes the file.
  return { addressOf, release: () => new Promise<void>((resolve) => { server.close(() => resolve()) }) }
}

/** Removes the file of a process that is dead. Names are never used again, so it cannot be that of another one. */
async function accepts (address: string): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED') rmSync(address, { force: true })
    return code !== 'ECONNREFUSED' && code !== 'ENOENT'
  } finally {
    socket.on('error', () => {}).destroy()
  }
}

import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failureOf } from '../outcome.js'

const CHUNK_BYTES = 65_536

/** What can be read several times, always from its beginning. */
export interface Source {
  /** As messages name it. */
  name: string
  read: () => AsyncIterable<Buffer>
  close: () => Promise<void>
}

/**
 * A pipe and standard input (`-`) are copied into a file of the system's temporary directory. The file has no name any
 * more when it is written, so nothing of it is left, however the command ends.
 */
export async function openSource (file: string): Promise<Source> {
  const name = file === '-' ? 'standard input' : file
  try {
    const handle = file === '-' ? await spool(process.stdin) : await open(file)
    const isFile = (await handle.stat()).isFile()
    if (!isFile) await handle.close()
    const from = isFile ? handle : await spool(createReadStream(file))
    return {
      name,
      read: () => contentOf(from),
      close: () => from.close()
    }
  } catch (error) {
    throw failureOf(name, error)
  }
}

async function spool (input: NodeJS.ReadableStream): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-'))
  const handle = await open(join(directory, 'rows'), 'wx+', 0o600)
  await rm(directory, { recursive: true })
  for await (const chunk of input) await handle.appendFile(chunk)
  return handle
}

async function * contentOf (handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(CHUNK_BYTES), position })
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

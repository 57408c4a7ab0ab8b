import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 64 * 1024

/** Only the beginning of a longer line is used, which bounds the memory for a line. */
const MAX_LINE_LENGTH = 64 * 1024

/** A log cannot be read to its end, because of the file system or gzip. */
export class UnreadableLog extends Error {}

/** The file name that means standard input. */
export const STDIN = '-'

/**
 * The lines of a log, a few hundred at a time. Gzip is detected under any file name and decompressed. Each byte becomes
 * one character, because everything that matters in a line is ASCII.
 *
 * @param onBytes called with the size of every chunk as it is in the file
 * @throws {UnreadableLog} also for a truncated gzip file, such as one that is still being copied: a part of a day would
 * look like the whole day
 */
export async function * readLines (file: string, onBytes: (count: number) => void): AsyncGenerator<string[]> {
  let rest = ''
  let cut = false
  for await (const chunk of named(file, inflated(chunksOf(file, onBytes)))) {
    const text = rest + chunk.toString('latin1')
    // Some systems end lines with only a carriage return.
    const lines = text.split(text.includes('\n') ? '\n' : '\r')
    rest = lines.pop()!
    if (cut && lines.length > 0) {
      lines.shift()
      cut = false
    }
    if (cut) {
      rest = ''
    } else if (rest.length > MAX_LINE_LENGTH) {
      lines.push(rest.slice(0, MAX_LINE_LENGTH))
      rest = ''
      cut = true
    }
    yield lines
  }
  if (rest !== '') yield [rest]
}

async function * named (file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield * chunks
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    // Error codes of zlib and of the file system.
    if (!/^(Z_|E[A-Z]+$)/.test(code)) throw error
    throw new UnreadableLog(`${file} cannot be read to its end: ${message}`, { cause: error })
  }
}

async function * chunksOf (file: string, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  const stream = file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onBytes(chunk.length)
    yield chunk
  }
}

async function * inflated (chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const { done, value } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield head
    yield * chunks
    return
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // An error of either stream ends the other one and the reading loop.
  pipeline(Readable.from(joined(head, chunks)), gunzip, () => {})
  yield * gunzip as AsyncIterable<Buffer>
}

async function * joined (head: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield * chunks
}

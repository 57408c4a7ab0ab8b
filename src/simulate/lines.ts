import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 64 * 1024

/** Of a longer line, the beginning stands for the whole, so that no line takes more memory. */
const MAX_LINE_LENGTH = 64 * 1024

/** The system, or gzip, cannot read a log to its end. */
export class UnreadableLog extends Error {}

/** Standard input, as a name of a file. */
export const STDIN = '-'

/**
 * The lines of a log, some hundred at a time. What is compressed by gzip, under any name, is read as what is in it.
 * Bytes become characters one by one: what matters in a line is ASCII.
 *
 * @param onBytes is told of every chunk, compressed or not
 * @throws {UnreadableLog} also for one that is cut off, as while it is copied: a part of a day would pass for the day
 */
export async function * readLines (file: string, onBytes: (count: number) => void): AsyncGenerator<string[]> {
  let rest = ''
  let cut = false
  for await (const chunk of named(file, inflated(chunksOf(file, onBytes)))) {
    const text = rest + chunk.toString('latin1')
    // Some systems end lines with a carriage return alone.
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
    // What zlib and the file system say.
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
  // An error of either ends the other, and the loop that reads.
  pipeline(Readable.from(joined(head, chunks)), gunzip, () => {})
  yield * gunzip as AsyncIterable<Buffer>
}

async function * joined (head: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield * chunks
}

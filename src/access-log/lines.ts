import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../base/operator-error.js'

const CHUNK_BYTES = 64 * 1024

/** Only the beginning of a longer line is used, which bounds the memory for a line. */
const MAX_LINE_LENGTH = 64 * 1024

/** A log cannot be read to its end, because of the file system or gzip, or is none. */
export class UnreadableLog extends OperatorError {}

/** The file name that means standard input. */
export const STDIN = '-'

/**
 * The lines of a log, a few hundred at a time. Compression is detected under any file name. Each byte becomes one
 * character, because everything that matters in a line is ASCII.
 *
 * @throws {UnreadableLog} also for a truncated gzip file, such as one that is still being copied: a part of a day would
 * look like the whole day. So is a kind of compression that cannot be read
 */
export async function * readLines (file: string): AsyncGenerator<string[]> {
  let rest = ''
  let cut = false
  for await (const chunk of named(file, decompressed(file, chunksOf(file)))) {
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

async function * chunksOf (file: string): AsyncGenerator<Buffer> {
  yield * (file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES }))
}

/**
 * The first bytes of a compressed file, and the program that decompresses it. Node 24 has a stream for zstd, which ends
 * after the first of several frames, and at the end of a truncated file: see findings.
 */
const compressions: Array<[program: string, magic: string, create?: () => NodeJS.ReadWriteStream]> = [
  ['gzip', '\x1f\x8b', () => createGunzip({ chunkSize: CHUNK_BYTES })],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['xz', '\xfd7zXZ'],
  ['bzip2', 'BZh'],
  ['lz4', '\x04\x22\x4d\x18']
]
const MAGIC_BYTES = 5

async function * decompressed (file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < MAGIC_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const begin = head.toString('latin1', 0, MAGIC_BYTES)
  const [program, , create] = compressions.find(([, magic]) => begin.startsWith(magic)) ?? []
  if (program === undefined) {
    yield head
    yield * chunks
    return
  }
  if (!create) {
    throw new UnreadableLog(`${file} is compressed by ${program}, which is not read here: ` +
      `name the log -, and pipe in what this writes: ${program} -dc ${file}`)
  }
  const plain = create()
  // An error of either stream ends the other one and the reading loop.
  pipeline(Readable.from(joined(head, chunks)), plain, () => {})
  yield * plain as AsyncIterable<Buffer>
}

async function * joined (head: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield * chunks
}

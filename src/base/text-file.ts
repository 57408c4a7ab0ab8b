import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { Faults } from './read-json.js'

const FAULTS: NodeJS.Dict<string> = {
  ENOENT: 'does not exist. Create it, or correct the path',
  EACCES: 'may not be read by the user of this process. Change its owner or mode, or those of its folder',
  EISDIR: 'is a folder. Docker makes one where the file to mount is missing: remove it and create the file'
}

/**
 * The text of a file that somebody wrote, without the byte order mark that editors of Windows begin it with.
 *
 * @throws {Faults} with Node's `code` if the file cannot be read, and if it is not UTF-8
 */
export function readTextFile (file: string | URL): string {
  let bytes
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw Object.assign(new Faults([FAULTS[code] ?? `cannot be read: ${message}`]), { code })
  }
  const text = bytes.toString().replace(/^\ufeff/, '')
  if (isUtf8(bytes) && !text.includes('\0')) return text
  const line = text.slice(0, text.search(/[\0\ufffd]/)).split(/\r\n?|\n/).length
  throw new Faults([`line ${line} is not UTF-8; save the file as UTF-8`])
}

import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** A value in quotes may have several lines. */
const VALUE = /"[^"]*"|'[^']*'|`[^`]*`|[^\s"'`#][^\n]*|/.source
/** A setting, or a blank line or comment; or else a line that is none of these. */
const ENTRY = new RegExp(
  String.raw`[ \t]*(?:(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(${VALUE})[ \t]*)?(?:#[^\n]*)?\n|([^\n]+)\n`, 'g'
)

/**
 * The settings in `.env` in the working directory; none without the file. Node's parser takes a line that it does not
 * understand for a part of the next name, so it gets one setting at a time.
 *
 * @param faults gets what cannot be read. It never quotes a line, which may be a secret
 */
export function readDotenv (faults: string[]): NodeJS.Dict<string> {
  const settings: NodeJS.Dict<string> = {}
  const text = readText(faults)
  for (const { index, 1: name, 2: value, 3: unknown } of text.matchAll(ENTRY)) {
    if (name !== undefined && name in settings) {
      faults.push(`.env: line ${lineAt(text, index)} sets ${name} a second time; remove one of both`)
    }
    if (/^[^"'`].*\S#/.test(value ?? '')) {
      faults.push(`.env: line ${lineAt(text, index)} has a # within its value, which would end it; quote the value`)
    }
    if (name !== undefined) Object.assign(settings, parseEnv(`${name}=${value}\n`))
    if (unknown === undefined) continue
    const must = 'must be NAME=value, and a value that begins with a quote must end with it'
    faults.push(`.env: line ${lineAt(text, index)} ${must}`)
  }
  return settings
}

/** @returns an empty text if there is no file, or a fault */
function readText (faults: string[]): string {
  try {
    const bytes = readFileSync('.env')
    const text = `${bytes.toString().replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')}\n`
    if (isUtf8(bytes) && !text.includes('\0')) return text
    faults.push(`.env: line ${lineAt(text, text.search(/[\0\ufffd]/))} is not UTF-8; save the file as UTF-8`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      faults.push(`.env: cannot be read: ${(error as Error).message}`)
    }
  }
  return ''
}

function lineAt (text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

import { existsSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readTextFile } from '../base/text-file.js'
import { collectFault } from './config-error.js'

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
  const written = existsSync('.env') && collectFault(() => readTextFile('.env'), '.env', faults)
  const text = written ? `${written.replace(/\r\n?/g, '\n')}\n` : ''
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

function lineAt (text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import yauzl from 'yauzl'
import { Failure } from '../../output.js'
import { Unreadable, type Source } from './rows.js'

type Bundle = Partial<Record<'users.csv' | 'roles.csv' | 'manifest.csv', Buffer>>
const names = ['users.csv', 'roles.csv', 'manifest.csv']
/** A roster of a million people has less. */
const MAX_BYTES = 500 * 2 ** 20

/**
 * @param file a file, a folder with a bundle, a zip with one, or `-` for standard input
 * @throws {Unreadable}
 */
export async function readSource (file: string): Promise<Source> {
  if (file !== '-' && (await stat(file)).isDirectory()) return sourceOf(await inFolder(file))
  const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file)
  const begins = (sign: Buffer): boolean => bytes.subarray(0, sign.length).equals(sign)
  if (begins(XLS)) throw new Unreadable(1, SPREADSHEET)
  if (begins(ZIP)) return sourceOf(await inZip(bytes))
  return { bytes: begins(GZIP) ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes, isDelta: false }
}

const ZIP = Buffer.from('PK')
const GZIP = Buffer.from([0x1f, 0x8b])
const XLS = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const SPREADSHEET = 'is a spreadsheet: save it as CSV (UTF-8)'

async function inFolder (folder: string): Promise<Bundle> {
  const bundle: Bundle = {}
  for (const entry of await readdir(folder)) {
    const name = nameOf(entry)
    if (name) bundle[name] = await readFile(join(folder, entry))
  }
  return bundle
}

async function inZip (bytes: Buffer): Promise<Bundle> {
  const bundle: Bundle = {}
  try {
    const zip = await yauzl.fromBufferPromise(bytes)
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry.fileName)
      if (!name) continue
      if (bundle[name]) throw new Unreadable(1, `is a zip with two files ${name}`)
      if (entry.uncompressedSize > MAX_BYTES) throw new Unreadable(1, `is a zip whose ${name} is too large`)
      bundle[name] = await buffer(await zip.openReadStreamPromise(entry))
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(1, `${SPREADSHEET}. Or it is a damaged zip (${(error as Error).message})`)
  }
  if (!bundle['users.csv']) throw new Unreadable(1, `${SPREADSHEET}. A zip of a roster has users.csv in it`)
  return bundle
}

/** macOS adds files of its own to a zip, whose names begin with a dot. */
function nameOf (path: string): keyof Bundle | undefined {
  const name = basename(path).toLowerCase()
  return names.includes(name) ? name as keyof Bundle : undefined
}

function sourceOf (bundle: Bundle): Source {
  const { 'users.csv': bytes, 'roles.csv': roles, 'manifest.csv': manifest } = bundle
  const said = new Map(manifest && tableOf(manifest).map(row => [row['propertyname'], row['value']]))
  const mode = said.get('file.users')
  if (bytes === undefined) throw new Failure('the folder has no users.csv')
  if (mode === 'absent') throw new Failure('manifest.csv says that users.csv is absent')
  const version = said.get('oneroster.version')
  const roleOf = roles && rolesIn(tableOf(roles))
  return { bytes, isDelta: mode === 'delta', ...version && { version }, ...roleOf && { roleOf } }
}

function tableOf (bytes: Buffer): Array<Record<string, string>> {
  try {
    return parse(bytes, {
      bom: true,
      columns: (header: string[]) => header.map(name => name.toLowerCase()),
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true
    }) as Array<Record<string, string>>
  } catch (error) {
    throw new Failure(`roles.csv or manifest.csv is damaged: ${(error as Error).message}`)
  }
}

/** In the user's primary organisation, or else what is called primary, or the first. */
function rolesIn (rows: Array<Record<string, string>>): NonNullable<Source['roleOf']> {
  const ofUser = new Map<string, Array<{ role: string, org: string, isPrimary: boolean }>>()
  for (const { usersourcedid: user = '', role = '', orgsourcedid: org = '', status = '', ...row } of rows) {
    if (role === '' || /^(tobedeleted|inactive)$/i.test(status)) continue
    const isPrimary = /^(primary|true|yes|1)$/i.test(row['roletype'] ?? row['isprimary'] ?? '')
    ofUser.set(user, [...ofUser.get(user) ?? [], { role, org, isPrimary }])
  }
  return (user, primaryOrg) => {
    const roles = ofUser.get(user) ?? []
    const there = primaryOrg ? roles.filter(({ org }) => org === primaryOrg) : []
    const among = there.length > 0 ? there : roles
    return (among.find(({ isPrimary }) => isPrimary) ?? among[0])?.role
  }
}

import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { Type } from 'typebox'
import en from '../../locales/en.json' with { type: 'json' }
import { Faults, readJson } from '../base/read-json.js'
import { schemaFaults } from '../base/schema-faults.js'
import { readTextFile } from '../base/text-file.js'

/* The texts of pages and mails. Each file of locales/ is a language, and its name is the code, such as hi.json. */

/** The default, for a reader whose languages have no file. */
const DEFAULT = 'en'

export type Texts = Readonly<typeof en>

export interface Language {
  /** For the attribute `lang` and the header Content-Language. */
  code: string
  texts: Texts
}

/** By code, the default one first. */
export type Languages = ReadonlyMap<string, Language>

/** What pages and mails say besides their texts. */
export interface Wording {
  languages: Languages
  /** What the service is called. */
  appName: string
  /** Where its users log in: a page of the ERP. */
  loginUrl: URL | undefined
}

const namesIn = (text: string): string => [...new Set(text.match(/\{\w+\}/g))].sort().join(', ')

/** Every language has the keys of English, and each of its texts the same names in braces. */
const FileSchema = Type.Object(Object.fromEntries(Object.entries(en).map(([key, text]) => {
  const names = namesIn(text)
  const fault = names === '' ? 'must be a text without names in braces' : `must be a text with ${names}`
  return [key, Type.Refine(Type.String({ minLength: 1, fault }), text => namesIn(text) === names)]
})), { additionalProperties: false, fault: 'must be an object' })

/** @throws {Faults} with every fault of every file */
export function readLanguages (directory = new URL('.', import.meta.resolve('#locales/en.json'))): Languages {
  const files = readdirSync(directory).filter(file => file.endsWith('.json')).sort()
  const faults: string[] = files.includes(`${DEFAULT}.json`) ? [] : [`${DEFAULT}.json: is missing`]
  const languages = files.map((file) => {
    const code = basename(file, '.json')
    const [texts, ofFile] = textsIn(new URL(file, directory))
    if (!isCode(code)) ofFile.push('must be named by the code of its language, such as hi.json')
    faults.push(...ofFile.map(fault => `${file}: ${fault}`))
    return { code, texts: texts as Texts }
  })
  if (faults.length > 0) throw new Faults(faults)
  const first = languages.filter(({ code }) => code === DEFAULT)
  return new Map([...first, ...languages].map(language => [language.code, language]))
}

function textsIn (file: URL): [texts: unknown, faults: string[]] {
  try {
    const { value, faults } = readJson(readTextFile(file))
    return [value, [...faults, ...schemaFaults(FileSchema, value, 'the file')]]
  } catch (error) {
    return [undefined, [...(error as Faults).faults]]
  }
}

function isCode (code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code)[0] === code
  } catch {
    return false
  }
}

/** The language of a code; the default one for a code that has no file. */
export const languageOf = (languages: Languages, code: string | null | undefined): Language =>
  languages.get(code ?? DEFAULT) ?? languages.get(DEFAULT)!

/** Such as `60 minutes`, in a language. */
export const translatedDuration = (amount: number, unit: 'second' | 'minute' | 'day', { code }: Language): string =>
  new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay: 'long' }).format(amount)

/**
 * Puts values in place of the names in braces.
 *
 * @param show writes a value, or a part of the text between the names
 */
export function fillTemplate <Value> (
  text: string, values: Record<string, Value>, show: (part: Value | string) => string = String
): string {
  return text.split(/\{(\w+)\}/).map((part, i) => show(i % 2 === 1 ? values[part]! : part)).join('')
}

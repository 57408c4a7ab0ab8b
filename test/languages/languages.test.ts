// A file of texts is a language. What is wrong with one stops a start, because a page or mail could not be written.

import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import type { Faults } from '#src/base/read-json.js'
import { readLanguages } from '#src/languages/languages.js'
import { newDirectory } from '../fixtures/lifetime.js'

const en = readFileSync(new URL('../../locales/en.json', import.meta.url), 'utf8')

const reading = (files: Record<string, string>) => () =>
  readLanguages(pathToFileURL(`${newDirectory(t, { 'en.json': en, ...files })}/`))

t.test('each file of the folder is a language, and English is the default', async (t) => {
  const languages = reading({ 'bn.json': `\ufeff${en}`, 'README.md': 'no language' })()

  t.same([...languages.keys()], ['en', 'bn'])
})

t.test('every fault of every file is named: keys, names in braces, the form, the name of the file', async (t) => {
  const faulty = en.replace('"page.username"', '"page.userName"').replace('Back to {app}', 'Back to {App}')
    .replace('"Set password"', '""').replace('"reset.title"', '"reset.submit": "twice", "reset.title"')

  const read = reading({ 'bn.json': faulty, 'en_GB.json': '[', 'ta.json': '[]' })

  try {
    read()
    t.fail('it was read')
  } catch (error) {
    t.match((error as Faults).faults, [
      'bn.json: reset.submit: is there twice', 'bn.json: page.username: must be a text',
      'bn.json: the file: there is no "page.userName" here', 'bn.json: page.back: must be a text with {app}',
      'bn.json: reset.submit: must be a text', 'en_GB.json: is not JSON',
      'en_GB.json: must be named by the code', 'ta.json: the file: must be an object'
    ])
  }
})

t.end()

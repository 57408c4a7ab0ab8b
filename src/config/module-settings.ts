import { isDeepStrictEqual } from 'node:util'
import { mergeModules, type Module } from '../modules/module.js'
import { modulePolicyNames, parseModules, parseModulesFile } from '../modules/modules-file.js'
import { collectFault, ConfigError } from './config-error.js'
import { readTextFile } from '../base/text-file.js'
import { loadSettings, readSettings } from './settings.js'

/** The policies that modules name, as the environment and `.env` have them. @throws {ConfigError} */
export function loadModulePolicies (): string[] {
  const faults: string[] = []
  const { MODULES, MODULES_FILE } = loadSettings(faults).values
  const policies = modulePolicyNames(readModules(readSettings({ MODULES, MODULES_FILE }, faults), faults))
  if (faults.length > 0) throw new ConfigError(faults)
  return policies
}

/** MODULES or MODULES_FILE. */
export function readModules (env: NodeJS.Dict<string | number>, faults: string[]): Module[] {
  const none = mergeModules(new Map())
  const modulesIn = (name: 'MODULES' | 'MODULES_FILE', parse: (text: string) => Module[]): Module[] =>
    (env[name] === undefined ? undefined : collectFault(() => parse(String(env[name])), name, faults)) ?? none
  const fromText = modulesIn('MODULES', parseModules)
  const fromFile = modulesIn('MODULES_FILE', file => parseModulesFile(readTextFile(file)))
  // docker-compose.yml always names a file, which may name no module.
  if (isDeepStrictEqual(fromFile, none)) return fromText
  if (env.MODULES !== undefined) faults.push('MODULES_FILE: must name no module if MODULES is set')
  return fromFile
}

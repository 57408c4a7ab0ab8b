import { readTextFile } from '../base/text-file.js'
import type { Module } from '../modules/module.js'
import { parseModulesFile } from '../modules/modules-file.js'
import type { CommonFlags } from './options.js'
import { failureOf, print, table } from './output.js'

const columns = ['module', 'upstream', 'for', 'policy', 'timeout', 'idle', 'body', 'token']

export async function check ({ json }: CommonFlags, file: string): Promise<void> {
  const modules = readModulesFile(file)
  print(json, modules, () => table(columns, modules.map(module => [
    module.prefix, module.upstream ?? 'none: 404', audienceOf(module), module.policy,
    `${module.timeoutMs / 1000} s`, `${module.idleMs / 1000} s`, `${module.maxBodyBytes} bytes`, module.token
  ])))
}

function audienceOf (module: Module): string {
  if (module.public) return 'everyone'
  return module.roles.length > 0 ? module.roles.join(', ') : 'any user'
}

function readModulesFile (file: string): Module[] {
  try {
    return parseModulesFile(readTextFile(file))
  } catch (error) {
    throw failureOf(file, error)
  }
}

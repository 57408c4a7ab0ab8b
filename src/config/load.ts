import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Clients } from '../limiter/limits/client.js'
import { parseConfig, type Config } from './config.js'
import { collectFault, ConfigError } from './config-error.js'
import { configFaults } from './faults.js'
import { loadSettings, readSettings } from './settings.js'
import { readEnvironment } from './variables.js'

/** The process's environment, with what `.env` in the working directory adds to it. @throws {ConfigError} */
export function loadConfig (purpose?: Purpose): Config {
  const faults: string[] = []
  const { values, warnings } = loadSettings(faults)
  // OpenTelemetry's SDK reads only process.env.
  for (const name in values) if (name.startsWith('OTEL_')) process.env[name] = values[name]
  return readConfig(values, purpose, faults, warnings)
}

/** Which addresses are one client, for commands that run in spite of faults in the other settings. */
export const readClients = (): Clients =>
  new Clients(readEnvironment(loadSettings([]).values, []).CLIENT_IPV6_PREFIX)

/**
 * The service writes the audit log, and commands may run as a user who cannot. `migrate` needs only the database, so it
 * does without the secrets of the service.
 */
type Purpose = 'service' | 'command' | 'migrate'

/**
 * @param faults those that were already found
 * @throws {ConfigError}
 */
export function readConfig (
  environment: NodeJS.Dict<string>, purpose: Purpose = 'command', faults: string[] = [], warnings: string[] = []
): Config {
  const settings = readSettings(environment, faults)
  const env = readEnvironment(settings, faults)
  const config = parseConfig(env, settings, faults, warnings)
  if (purpose === 'service' && config.auditLog !== undefined) {
    collectFault(() => mustBeAppendable(config.auditLog!), 'AUDIT_LOG', faults)
  }
  warnings.push(...config.databaseUrl?.unused.map(text => `DATABASE_URL: ${text}`) ?? [])
  faults.push(...configFaults(config, env, purpose !== 'migrate'))
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** Does not create the file. The first event does. */
function mustBeAppendable (file: string): void {
  try {
    if (existsSync(file) && !statSync(file).isFile()) throw new Error(`${file} is no file`)
    accessSync(existsSync(file) ? file : `${dirname(file)}/`, constants.W_OK)
  } catch (error) {
    throw new Error(`cannot be written: ${(error as Error).message}`)
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory
} from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'

const prismaDirectory = new URL('../prisma/', import.meta.url)
const noFilter = { externalTables: [], externalEnums: [] }

/**
 * Applies every migration of prisma/migrations that the database has not seen, with Prisma's own engine: the same
 * order, checksums and `_prisma_migrations` table as `prisma migrate deploy`.
 *
 * @returns the names of the migrations applied just now
 * @throws when a migration fails or an applied one was edited
 */
export async function applyMigrations (adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  return withEngine(adapter, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: readMigrations(), filters: noFilter })
    return appliedMigrationNames
  })
}

/**
 * What would have to be run for the database to match prisma/schema.prisma.
 *
 * @returns SQL; a comment that says "empty migration" when they agree
 */
export async function schemaDrift (adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  const schema = { path: 'schema.prisma', content: readSchema() }
  return withEngine(adapter, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: fileURLToPath(prismaDirectory) },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: noFilter
    })
    return stdout ?? ''
  })
}

// What the engine's types leave out, and Node's types of WebAssembly.
interface EngineExports { __wbindgen_start: () => void }
type EngineGlue = typeof import('@prisma/schema-engine-wasm') & { __wbg_set_wasm: (exports: EngineExports) => void }
declare const WebAssembly: {
  instantiate: (module: Uint8Array, imports: Record<string, object>) => Promise<{ instance: { exports: EngineExports } }>
}

let loadedEngine: Promise<EngineGlue> | undefined

async function withEngine<T> (adapter: SqlMigrationAwareDriverAdapterFactory, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { SchemaEngine } = await (loadedEngine ??= loadEngine())
  const engine = await SchemaEngine.new(
    { datamodels: [['schema.prisma', readSchema()]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter)
  )
  try {
    return await use(engine)
  } finally {
    engine.free()
  }
}

/**
 * Node 20 cannot import a .wasm file as a module, which is what the package's entry does; so the two halves are
 * joined here by hand, once a process: the glue keeps views of one memory. The alternative, Prisma's native engine,
 * is a download from outside the npm registry.
 */
async function loadEngine (): Promise<EngineGlue> {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg') as EngineGlue
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm')
  const { instance } = await WebAssembly.instantiate(await readFile(file), { './schema_engine_bg.js': withoutWaiting(glue) })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue
}

/** The engine's timers limit its own waits; what is left of them must not hold up the end of a process for ten seconds. */
function withoutWaiting (glue: EngineGlue): object {
  return Object.fromEntries(Object.entries(glue).map(([name, value]) => [name, name.startsWith('__wbg_setTimeout')
    ? (work: () => void, ms: number) => setTimeout(work, ms).unref()
    : value]))
}

function readMigrations (): MigrationList {
  const directory = new URL('migrations/', prismaDirectory)
  const names = readdirSync(directory, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort()
  return {
    baseDir: fileURLToPath(directory),
    lockfile: { path: 'migration_lock.toml', content: readFileSync(new URL('migration_lock.toml', directory), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: names.map(name => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(new URL(`${name}/migration.sql`, directory), 'utf8') }
      }
    }))
  }
}

function readSchema (): string {
  return readFileSync(new URL('schema.prisma', prismaDirectory), 'utf8')
}

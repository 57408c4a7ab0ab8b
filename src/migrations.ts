import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  bindMigrationAwareSqlAdapterFactory, isDriverAdapterError, type SqlMigrationAwareDriverAdapterFactory
} from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'

const prismaDirectory = new URL('.', import.meta.resolve('#prisma/schema.prisma'))
const noFilter = { externalTables: [], externalEnums: [] }

/** The engine holds this advisory lock of PostgreSQL while it applies migrations. */
const ENGINE_LOCK = 72707369
/** Whoever wants to read a table waits behind a migration that waits to change it: never for long. */
const LOCK_TIMEOUT_MS = 300
const LOCK_PAUSE_MS = 2000
const LOCK_PATIENCE_MS = 300_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Applies every migration of prisma/migrations that the database has not seen, with Prisma's own engine: the same
 * order, checksums and `_prisma_migrations` table as `prisma migrate deploy`. An interrupted run is no obstacle: each
 * migration is applied and recorded, or neither.
 *
 * @param onLocked a table is in use, so a migration is tried again and again, for five minutes
 * @returns the names of the migrations applied just now
 * @throws when a migration fails or an applied one was edited
 */
export async function applyMigrations (
  adapter: SqlMigrationAwareDriverAdapterFactory, onLocked = (): void => {}
): Promise<string[]> {
  return withEngine(interruptible(adapter, onLocked), async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: readMigrations(), filters: noFilter
    })
    return appliedMigrationNames
  })
}

/** The names of the migrations in prisma/migrations, the oldest first. */
export function migrationNames (): string[] {
  const folders = readdirSync(new URL('migrations/', prismaDirectory), { withFileTypes: true })
  return folders.filter(entry => entry.isDirectory()).map(({ name }) => name).sort()
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

/**
 * The engine records that a migration has begun and that it has finished, and refuses to go on after one that has not.
 * Here the script itself records that it has finished; so one that has not has changed nothing, and is begun anew.
 */
function interruptible (
  adapter: SqlMigrationAwareDriverAdapterFactory, onLocked: () => void
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connectToShadowDb: () => adapter.connectToShadowDb(),
    async connect () {
      const connection = await adapter.connect()
      const executeRaw = connection.executeRaw.bind(connection)
      const executeScript = connection.executeScript.bind(connection)
      connection.executeRaw = async (query) => {
        if (query.sql !== takeLock) return await executeRaw(query)
        await executeScript(takeLockAndGiveUpUnfinished)
        return 0
      }
      connection.executeScript = script => retryWhileLocked(() => executeScript(recordedWith(script)), onLocked)
      return connection
    }
  }
}

const takeLock = `SELECT pg_advisory_lock(${ENGINE_LOCK})`

/** The engine waits for ten seconds. PostgreSQL waits hardly longer, because the process does not end before. */
const takeLockAndGiveUpUnfinished = `
SET LOCAL lock_timeout = 10500;
${takeLock};
DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  END IF;
END $$`

/**
 * The lock is the engine's, whose connection may have been lost since it took that: no two migrations run at once. What
 * PostgreSQL runs for a process that is gone ends within half a second, where PostgreSQL can see that: from 14 on, not
 * on Windows.
 */
const recordedWith = (script: string): string => `
SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS};
DO $$ BEGIN
  SET LOCAL client_connection_check_interval = 500;
EXCEPTION WHEN OTHERS THEN
END $$;
SELECT pg_advisory_xact_lock(${ENGINE_LOCK});
${script}
;
DO $$ BEGIN
  UPDATE _prisma_migrations SET finished_at = clock_timestamp() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  IF NOT FOUND THEN
    RAISE 'another migration has taken over from this one';
  END IF;
END $$`

/** A script that fails is rolled back, so it may be run again. */
async function retryWhileLocked (run: () => Promise<void>, onLocked: () => void): Promise<void> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const locked = isDriverAdapterError(error) && error.cause.originalCode === LOCK_NOT_AVAILABLE
      if (!locked || performance.now() - startedAt > LOCK_PATIENCE_MS) throw error
      if (attempt === 1) onLocked()
    }
    await pause(LOCK_PAUSE_MS)
  }
}

// What the engine's types leave out, and Node's types of WebAssembly.
interface EngineExports { __wbindgen_start: () => void }
type EngineGlue = typeof import('@prisma/schema-engine-wasm') & { __wbg_set_wasm: (exports: EngineExports) => void }
declare const WebAssembly: {
  instantiate: (module: Uint8Array, imports: Record<string, object>) => Promise<{
    instance: { exports: EngineExports }
  }>
}

let loadedEngine: Promise<EngineGlue> | undefined

async function withEngine<T> (
  adapter: SqlMigrationAwareDriverAdapterFactory, use: (engine: SchemaEngine) => Promise<T>
): Promise<T> {
  const { SchemaEngine } = await (loadedEngine ??= loadEngine())
  const bound = bindMigrationAwareSqlAdapterFactory(adapter)
  const connections: Array<Awaited<ReturnType<typeof bound.connect>>> = []
  const engine = await SchemaEngine.new({ datamodels: [['schema.prisma', readSchema()]] }, () => {}, {
    ...bound,
    async connect () {
      const connection = await bound.connect()
      connections.push(connection)
      return connection
    }
  })
  try {
    return await use(engine)
  } finally {
    engine.free()
    // The engine leaves it open, with its lock.
    for (const connection of connections) if (connection.ok) await connection.value.dispose()
  }
}

/**
 * Node 20 cannot import a .wasm file as a module, which is what the package's entry does; so the two halves are
 * joined here by hand, once a process: the glue keeps views of one memory. The alternative, Prisma's native engine,
 * is a download from outside the npm registry.
 */
async function loadEngine (): Promise<EngineGlue> {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg') as EngineGlue
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm')
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': withoutWaiting(glue)
  })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue
}

/**
 * The engine's timers limit its own waits; what is left of them must not hold up the end of a process for ten seconds.
 */
function withoutWaiting (glue: EngineGlue): object {
  return Object.fromEntries(Object.entries(glue).map(([name, value]) => [name, name.startsWith('__wbg_setTimeout')
    ? (work: () => void, ms: number) => setTimeout(work, ms).unref()
    : value]))
}

function readMigrations (): MigrationList {
  const directory = new URL('migrations/', prismaDirectory)
  return {
    baseDir: fileURLToPath(directory),
    lockfile: { path: 'migration_lock.toml', content: readFileSync(new URL('migration_lock.toml', directory), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: migrationNames().map(name => ({
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

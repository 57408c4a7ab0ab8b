import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  bindMigrationAwareSqlAdapterFactory, isDriverAdapterError, type SqlMigrationAwareDriverAdapterFactory
} from '@prisma/driver-adapter-utils'
import type { PrismaClient } from '../generated/prisma/client.js'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'

const prismaDirectory = new URL('.', import.meta.resolve('#prisma/schema.prisma'))
const noFilter = { externalTables: [], externalEnums: [] }

/** The engine holds this advisory lock of PostgreSQL while it applies migrations. */
const ENGINE_LOCK = 72707369
/** Reads of a table queue behind a migration that waits to change it. This limits how long. */
const LOCK_TIMEOUT_MS = 300
const LOCK_PAUSE_MS = 2000
const LOCK_PATIENCE_MS = 300_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Applies every migration of prisma/migrations that the database has not seen, with Prisma's own engine: the same
 * order, checksums and `_prisma_migrations` table as `prisma migrate deploy`. A run may be interrupted, because each
 * migration is applied and recorded atomically.
 *
 * @param onLocked called if a table is in use. The migration is then retried for five minutes
 * @returns the names of the migrations that were applied by this call
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

/** Of the database. Only UTF-8 can hold every name. */
export async function encodingOf (db: Pick<PrismaClient, '$queryRaw'>): Promise<string> {
  const [row] = await db.$queryRaw<Array<{ encoding: string }>>`SELECT current_setting('server_encoding') AS encoding`
  return row!.encoding
}

/** The names of the migrations in prisma/migrations, the oldest first. */
export function migrationNames (): string[] {
  const folders = readdirSync(new URL('migrations/', prismaDirectory), { withFileTypes: true })
  return folders.filter(entry => entry.isDirectory()).map(({ name }) => name).sort()
}

/**
 * The SQL that would make the database match prisma/schema.prisma.
 *
 * @returns SQL; if they match, only a comment with "empty migration"
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
 * The engine records when a migration has begun and when it has finished. It refuses to continue after an unfinished
 * one. Here the script itself records that it has finished. So an unfinished migration has changed nothing, and is
 * started again.
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

/**
 * The engine waits for ten seconds. PostgreSQL waits only a little longer, because the process cannot end before it.
 */
const takeLockAndGiveUpUnfinished = `
SET LOCAL lock_timeout = 10500;
${takeLock};
DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  END IF;
END $$`

/**
 * Takes the engine's lock again, because the engine's connection may have been lost meanwhile. So no two migrations run
 * at once. If the process dies, PostgreSQL ends the script within half a second. This works from PostgreSQL 14 on, but
 * not on Windows.
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

// Types that the engine's own types, and Node's types of WebAssembly, leave out.
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
    // The engine leaves its connection open, and with it the lock.
    for (const connection of connections) if (connection.ok) await connection.value.dispose()
  }
}

/**
 * The package's entry imports a .wasm file as a module, which Node 20 cannot do. So its two halves are joined here by
 * hand. This happens once per process, because the glue keeps views of one memory. The alternative, Prisma's native
 * engine, is a download from outside the npm registry.
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

/** The engine's timers limit its own waits. A leftover timer must not delay the end of the process by ten seconds. */
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

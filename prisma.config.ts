// Generating the client reads the schema alone, yet the CLI would first download its native engine.
// Naming any executable as that engine stops the download; `generate` never runs it.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }
}

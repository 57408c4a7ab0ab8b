import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { root } from '../test/fixtures/markdown.js'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { startPostgres, type Postgres } from '../test/fixtures/postgres.js'

export interface Database extends Pick<Postgres, 'start' | 'stop' | 'pause' | 'resume'> {
  port: number
  /** As the service. */
  url: string
  /** As the role that migrates. */
  ownerUrl: string
  /** A statement of the owner, by a connection of its own. */
  sql: (statement: string) => Promise<Array<Record<string, unknown>>>
  /** A connection that stays open until it is ended. */
  connect: (url?: string) => Promise<pg.Client>
  /** Whether the programs for backups are there, and not older than the server. */
  hasPrograms: boolean
}

/** The first version whose dumps this server takes. */
const PROGRAMS = /\(PostgreSQL\) (1[89]|[2-9]\d)/

/** PostgreSQL as docker-compose.yml has it: a superuser `owner`, and the service's role with its rights. No table. */
export async function startDatabase (t: Lifetime): Promise<Database> {
  const server = await startPostgres(t)
  const urlOf = (role: string, database: string): string =>
    `postgresql://${role}:gatehouse@127.0.0.1:${server.port}/${database}`
  const connect = async (url = urlOf('owner', 'gatehouse')): Promise<pg.Client> => {
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const run = async (url: string, ...statements: string[]): Promise<Array<Record<string, unknown>>> => {
    const client = await connect(url)
    try {
      const rows = []
      for (const one of statements) rows.push(...(await client.query<Record<string, unknown>>(one)).rows)
      return rows
    } finally {
      await client.end()
    }
  }
  await run(urlOf('gatehouse', 'postgres'), 'CREATE ROLE another SUPERUSER LOGIN PASSWORD \'gatehouse\'')
  await run(urlOf('another', 'postgres'), 'ALTER ROLE gatehouse RENAME TO owner')
  await run(urlOf('owner', 'postgres'), 'DROP ROLE another', 'CREATE DATABASE gatehouse TEMPLATE template0')
  await run(urlOf('owner', 'gatehouse'), ...roleOfService())
  return {
    ...server,
    url: urlOf('gatehouse', 'gatehouse'),
    ownerUrl: urlOf('owner', 'gatehouse'),
    connect,
    sql: statement => run(urlOf('owner', 'gatehouse'), statement),
    hasPrograms: PROGRAMS.test(String(spawnSync('pg_dump', ['--version']).stdout))
  }
}

/** What PostgreSQL's container runs at its first start. */
export function roleOfService (): string[] {
  const [, statements] = /<<'SQL'\n([^]*?)\nSQL/.exec(readFileSync(join(root, 'deploy/postgres-role.sh'), 'utf8'))!
  return statements!.replace(':\'password\'', '\'gatehouse\'').replace(':"DBNAME"', 'gatehouse').split('\n')
}

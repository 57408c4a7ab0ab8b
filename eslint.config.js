import neostandard from 'neostandard'

const layer = (files, forbidden, why) => ({
  files,
  rules: {
    'no-restricted-imports': ['error', { patterns: forbidden.map(group => ({ group: [group].flat(), message: why })) }]
  }
})

const framework = ['fastify', '@fastify/*', '!@fastify/error', 'fastify-plugin']
const app = [...framework, '**/plugins/*', '**/routes/*', '**/app.js', '**/server.js']
const upper = ['**/plugins/*', '**/routes/*', '**/app.js', '**/server.js', '**/cli.js', '**/commands/*']
const clients = ['ioredis', 'typebox', 'nodemailer']
const core = [...framework, ...upper, '**/config.js']
const rooms = (...names) => names.map(name => `**/${name}/*`)
const composing = ['../store.js', '../notices.js']
const heavy = [
  'pg', '@prisma/*', '**/generated/**', '**/prisma/client.js', '**/database/database.js', '**/migrations.js',
  '**/auth/accounts.js', '**/mail/outbox.js'
]

export default [
  ...neostandard({
    ts: true,
    ignores: [
      'dist/**', 'dist-test/**', 'src/generated/**', 'prisma/client.js', 'data/**', '.tap/**',
      'examples/client/gatehouse.d.ts'
    ]
  }),

  // Arrows point down only: server, cli → app, commands → routes, plugins → config → modules, auth → limiter → base.
  layer(
    ['src/base/**'],
    ['fastify', 'fastify-plugin', ...upper, ...rooms('config', 'database', 'limiter', 'auth', 'modules', 'console')],
    'base stands below everything.'
  ),
  layer(
    ['src/limiter/**'], [...core, ...rooms('auth', 'modules', 'database', 'tracing', 'console')],
    'The limiter knows no framework, no configuration and no user.'
  ),
  layer(
    ['src/auth/**', 'src/modules/**', 'src/tracing/**'], core, 'The cores know no framework and no configuration.'
  ),

  // The rooms of the limiter. store.ts alone knows all of them.
  layer(['src/limiter/bucket/**'], [...core, '../**', 'ioredis'], 'What a bucket is stands below everything.'),
  layer(
    ['src/limiter/redis/**'], [...core, ...rooms('limits', 'layers', 'fleet'), ...composing],
    'The store in Redis knows buckets only.'
  ),
  layer(
    ['src/limiter/limits/**'], [...core, ...rooms('layers', 'fleet'), '../store.js'],
    'Limits know buckets, and Redis, where they are kept.'
  ),
  layer(
    ['src/limiter/layers/**'], [...core, ...rooms('limits', 'redis', 'fleet'), ...composing, 'ioredis'],
    'A layer knows buckets, and the next layer by its interface.'
  ),
  layer(
    ['src/limiter/fleet/**'], [...core, ...rooms('layers'), ...composing],
    'What replicas tell each other knows no layer.'
  ),
  layer(
    ['src/database/**'], [...framework, ...upper],
    'What the command line uses knows no framework.'
  ),
  layer(['src/cli.ts'], app, 'The command line needs no app.'),
  layer(
    ['src/simulate/**'],
    [
      ...framework, ...upper.filter(name => name !== '**/routes/*'), ['**/routes/*', '!**/routes/paths.js'], ...heavy,
      ...clients, '**/config.js'
    ],
    'A simulation knows no framework, no command and no server.'
  ),
  layer(['src/commands/**'], [...app, '**/cli.js'], 'Commands stand below cli.ts, and need no app.'),
  layer(['src/doctor/**'], [...app, '**/cli.js', '**/commands/*'], 'The checks stand below their command.'),
  // A command pays at each start for what these load.
  layer(
    ['src/config/**'], [...framework, ...upper, ...heavy, ...clients, '**/limiter/redis/connection.js'],
    'The configuration is read by every command, and loads no client.'
  ),
  layer(
    [
      'src/base/{url,loopback}.ts', 'src/database/database-url.ts', 'src/limiter/redis/redis-url.ts',
      'src/auth/*-url.ts', 'src/auth/rules.ts'
    ],
    [...framework, ...upper, ...heavy, ...clients, '**/config.js'],
    'What the configuration loads loads no client.'
  ),
  layer(
    [
      'src/commands/{commands,help,modules,outcome,parse,progress,redis,simulate,simulation-text}.ts',
      'src/commands/{buckets,limits}/*.ts'
    ],
    [...app, ...heavy, '**/cli.js'],
    'A look into Redis loads no database client.'
  ),
  layer(
    ['src/openapi/**'], [...framework.filter(name => name !== 'fastify'), ...upper],
    'The document knows routes only as they were registered.'
  ),
  layer(
    ['src/plugins/**'], ['**/routes/*', '**/app.js', '**/server.js', '**/cli.js'], 'Plugins stand below the routes.'
  ),
  layer(
    ['src/console/**'], ['**/routes/*', '**/commands/*', '**/app.js', '**/ops.js', '**/server.js', '**/cli.js'],
    'The console uses what the app is decorated with.'
  ),
  layer(
    ['src/routes/**'], ['**/plugins/*', '**/app.js', '**/server.js', '**/cli.js'],
    'Routes use what the app is decorated with.'
  ),

  {
    rules: { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true }] }
  },
  {
    files: ['src/console/page/**'],
    languageOptions: {
      globals: { location: 'readonly', history: 'readonly', EventSource: 'readonly', Node: 'readonly' }
    }
  },
  {
    files: ['test/**'],
    rules: {
      'no-restricted-properties': ['error', {
        object: 't', property: 'testdir', message: 'It is removed too early: newDirectory() of fixtures/lifetime.ts.'
      }]
    }
  },
  {
    files: ['src/**'],
    ignores: ['src/config/**'],
    rules: {
      'no-restricted-properties': ['error', {
        object: 'process', property: 'env', message: 'config/ alone reads the environment.'
      }]
    }
  }
]

// The rooms of src/ from the bottom to the top, and what each may import: rooms below it, by name, and nothing else.
// `npm run rooms` draws them. `npm run lint` refuses other imports, circles, and files that nobody imports.

const framework = '^node_modules/(fastify|fastify-plugin|@fastify/(?!error))'
const drivers = '^node_modules/(ioredis|nodemailer|pg|@prisma|pglite-prisma-adapter|@electric-sql)/|' +
  '^src/(auth/(accounts|account-changes|password-changes)|mail/outbox|database/(connection|database|migrations))[.]ts$'

const rooms = {
  // Errors, the log, and what Node lacks.
  base: [],
  // Token buckets, their stores, and the limits that hold.
  limiter: ['base'],
  // The connection to PostgreSQL, its schema and its faults.
  database: ['base'],
  // Access logs as proxies and gatehouse write them.
  'access-log': ['base', 'limiter'],
  // Logins of a log: how many fail, from where, and what would block them.
  logins: ['base', 'limiter', 'access-log'],
  // The texts of pages and mails in the reader's language.
  languages: ['base'],
  // Mails: their links, what they say, who sends them, and those that wait.
  mail: ['base', 'database', 'languages'],
  // Accounts, passwords, tokens, sessions.
  auth: ['base', 'limiter', 'database', 'mail'],
  // Second factors: codes, secrets at rest, links to set them up.
  'second-factor': ['base', 'mail', 'auth'],
  // Sign-in at OpenID providers: their answers, whose account it is, tickets.
  'sign-in': ['base', 'auth'],
  // The ERP's modules behind gatehouse.
  modules: ['base', 'limiter', 'auth'],
  // What a replica says of itself: states and metrics.
  health: ['base', 'limiter', 'database', 'mail', 'sign-in'],
  // The settings. It alone reads the environment.
  config: ['base', 'limiter', 'database', 'languages', 'auth', 'sign-in', 'modules', 'mail'],
  // Spans of requests, queries and takes.
  tracing: ['base', 'limiter', 'database', 'auth', 'config'],
  // The paths and policies of the operations, and what the OpenAPI document says of them.
  openapi: ['base', 'limiter', 'config'],
  // The steps of a request.
  plugins: [
    'base', 'limiter', 'database', 'languages', 'auth', 'modules', 'mail', 'config', 'tracing', 'openapi',
    'second-factor', 'sign-in', 'health'
  ],
  // The operations. They use what the app is decorated with, so they import no plugin.
  routes: ['base', 'limiter', 'database', 'auth', 'second-factor', 'sign-in', 'mail', 'config', 'openapi'],
  // The pages for a new password, and for a second factor.
  pages: ['base', 'languages', 'mail', 'auth', 'second-factor', 'sign-in', 'openapi', 'routes'],
  // The operators' page.
  console: ['base', 'limiter', 'auth', 'second-factor', 'health', 'config'],
  // What limits would have refused.
  simulate: ['base', 'limiter', 'access-log', 'modules', 'openapi'],
  // The checks of a deployment.
  doctor: ['base', 'limiter', 'database', 'auth', 'second-factor', 'sign-in', 'mail', 'health', 'config'],
  // The command line.
  commands: [
    'base', 'limiter', 'database', 'access-log', 'logins', 'auth', 'second-factor', 'sign-in', 'modules', 'mail',
    'config', 'simulate', 'doctor'
  ]
}

/** The rooms within the limiter. `store.ts` puts them together. */
const limiter = {
  bucket: [],
  redis: ['bucket'],
  limits: ['bucket', 'redis'],
  layers: ['bucket'],
  fleet: ['bucket', 'redis', 'limits'],
  // What operators see of buckets and refusals, and what they reset.
  operators: ['bucket', 'limits', 'fleet']
}

/** Which rooms may import the framework. */
const withFramework = ['plugins', 'routes', 'pages', 'console', 'openapi']

const fence = (within, table) => Object.entries(table).map(([room, allowed]) => ({
  name: `${room} imports from ${allowed.join(', ') || 'no other room'}`,
  from: { path: `^${within}/${room}/` },
  to: { path: `^${within}/`, pathNot: `^${within}/(${[room, ...allowed, 'generated'].join('|')})/` }
}))

export default {
  forbidden: [
    ...fence('src', rooms),
    ...fence('src/limiter', limiter),
    { name: 'no circle', from: {}, to: { circular: true } },
    {
      name: 'orphan: neither server.ts nor cli.ts leads to it',
      from: { path: '^src/(server|cli)[.]ts$' },
      to: { path: '^src', pathNot: '^src/((console/page|generated)/|(server|cli)[.]ts$)', reachable: false }
    },
    {
      name: 'only the rooms of the app import the framework',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${withFramework.join('|')})/` },
      to: { path: framework }
    },
    {
      name: 'only the entrances import the app',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+[.]ts$' }
    },
    {
      name: 'a command that needs no driver of a server loads none',
      from: {
        path: [
          '^src/(config|simulate|access-log|logins|base)/',
          '^src/commands/[^/]+[.]ts$',
          '^src/commands/(buckets|limits)/',
          '^src/commands/users/users[.]ts$',
          '-url[.]ts$'
        ],
        pathNot: '^src/commands/(doctor|mails|migrate)[.]ts$'
      },
      to: { path: drivers, dependencyTypesNot: ['type-only'], dynamic: false }
    }
  ].map(rule => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/generated' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' }
  }
}

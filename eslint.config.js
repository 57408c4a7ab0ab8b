import neostandard from 'neostandard'

const layer = (files, forbidden, why) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: forbidden.map(group => ({ group: [group], message: why })) }] }
})

const framework = ['fastify', '@fastify/*', '!@fastify/error', 'fastify-plugin']
const upper = ['**/plugins/*', '**/routes/*', '**/app.js', '**/server.js', '**/cli.js', '**/commands/*']

export default [
  ...neostandard({ ts: true, ignores: ['dist/**', 'src/generated/**', 'data/**', '.tap/**'] }),

  // Arrows point down only: server, cli → app → routes, plugins → config → limiter, auth → errors.
  layer(['src/errors.ts'], [...upper, '**/config.js', '**/limiter/*', '**/auth/*'], 'errors.ts stands below everything.'),
  layer(['src/limiter/**', 'src/auth/**'], [...framework, ...upper, '**/config.js'], 'The cores know no framework and no configuration.'),
  layer(['src/config.ts', 'src/database.ts', 'src/migrations.ts', 'src/demo-accounts.ts', 'src/log.ts'], [...framework, ...upper], 'What the command line uses knows no framework.'),
  layer(['src/cli.ts', 'src/commands/**'], [...framework, '**/plugins/*', '**/routes/*', '**/app.js', '**/server.js'], 'The command line needs no app.'),
  layer(['src/plugins/**'], ['**/routes/*', '**/app.js', '**/server.js', '**/cli.js'], 'Plugins stand below the routes.'),
  layer(['src/routes/**'], ['**/plugins/*', '**/app.js', '**/server.js', '**/cli.js'], 'Routes use what the app is decorated with.'),

  {
    files: ['test/**'],
    rules: { 'no-restricted-properties': ['error', { object: 't', property: 'testdir', message: 'Its end comes too early: newDirectory() of test/fixtures/lifetime.ts.' }] }
  },
  {
    files: ['src/**'],
    ignores: ['src/config.ts'],
    rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'config.ts alone reads the environment.' }] }
  }
]

// A command starts quickly, because it loads only the packages that it needs.

import { build } from 'esbuild'
import t from 'tap'

/**
 * The packages that a module of src/ imports before it runs, it or what it imports. Dynamic imports are not among them.
 */
async function packagesOf (name: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [`src/${name}.ts`],
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external'
  })
  const loaded = new Set<string>()
  const packages = new Set<string>()
  function load (file: string): void {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const { path, kind, external } of metafile.outputs[file]!.imports) {
      if (kind === 'dynamic-import') continue
      if (!external) load(path)
      else if (!path.startsWith('node:') && path !== 'module') packages.add(path)
    }
  }
  load(`out/${name.split('/').at(-1)!}.js`)
  return [...packages].sort()
}

t.test('a command loads only what it needs: the configuration loads no client, buckets no database', async (t) => {
  t.same(await packagesOf('cli'), [])
  const configuration = [
    'env-schema', 'ipaddr.js', 'jsonc-parser', 'pg-connection-string', 'typebox', 'typebox/compile', 'typebox/system'
  ]
  t.same(await packagesOf('config/config'), configuration)
  t.same(await packagesOf('commands/limits/check'), configuration.filter(name => name !== 'pg-connection-string'))
  for (const verb of ['list', 'peek', 'reset', 'top', 'watch']) {
    t.same(await packagesOf(`commands/buckets/${verb}`), [
      'cluster-key-slot', ...configuration, 'ioredis', 'lru-cache'
    ].sort(), verb)
  }
  t.ok((await packagesOf('commands/users/account')).includes('@prisma/adapter-pg'), 'where it is needed it is seen')
})

t.test('a service without a collector does not load the SDK of OpenTelemetry', async (t) => {
  // prom-client brings its API.
  const ofTracing = async (name: string): Promise<string[]> =>
    (await packagesOf(name)).filter(name => name.startsWith('@opentelemetry/'))
  t.same(await ofTracing('app'), [])
  t.same(await ofTracing('config/config'), [])
  t.not((await ofTracing('plugins/edge/tracing')).length, 0)
})

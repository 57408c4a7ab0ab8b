import { readFileSync } from 'node:fs'
import t from 'tap'

/** The packages that a built module imports before it runs, it or what it imports. Dynamic imports are not among them. */
function packagesOf (file: URL, seen = new Set<string>(), packages = new Set<string>()): string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import (?:[^;"]* from )?|export [^;"]* from )"([^"]+)"/gm)) {
    if (name!.startsWith('.')) packagesOf(new URL(name!, file), seen, packages)
    else if (!name!.startsWith('node:') && name !== 'fs') packages.add(name!)
  }
  return [...packages].sort()
}

const built = (name: string): string[] => packagesOf(new URL(`../dist/${name}.js`, import.meta.url))

t.test('a command loads only what it needs: the configuration no client, a look into Redis no database client', async (t) => {
  t.same(built('cli'), [])
  t.same(built('config'), ['env-schema', 'ipaddr.js', 'jsonc-parser'])
  t.same(built('commands/limits'), ['ipaddr.js', 'jsonc-parser'])
  t.same(built('commands/buckets'), ['cluster-key-slot', 'env-schema', 'ioredis', 'ioredis/built/DataHandler.js', 'ioredis/built/resp/decoder.js', 'ipaddr.js', 'jsonc-parser'])
  t.ok(built('commands/users').includes('@prisma/adapter-pg'), 'where it is needed it is seen')
})

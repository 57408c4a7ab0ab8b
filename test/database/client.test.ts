// prisma/client.js, which is committed, is what Prisma generates from prisma/schema.prisma.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('the client is that of the schema; if not: npm run db:generate', async (t) => {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> }
  t.match(scripts.pretest, / && prisma generate$/, 'npm test makes src/generated before')

  const { outputFiles: [made] } = await build({
    absWorkingDir: root,
    entryPoints: ['src/generated/prisma/client.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    tsconfigRaw: '{}',
    write: false
  })

  t.equal(readFileSync(`${root}/prisma/client.js`, 'utf8'), made!.text)
})

t.end()

// Bundles src/ and most of what it imports into dist/: a start loads some hundred files instead of six hundred, which
// takes half the time. Every module of src/ is an entry point, so that tests can import it; what several of them share
// is in dist/chunks/. `node --enable-source-maps` gives stack traces with the lines of the sources.
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Prisma's compiler of queries is WebAssembly in a text, which would stay in memory. It becomes a file. */
const compilerAsFile = {
  name: 'compiler-as-file',
  setup ({ onLoad }) {
    onLoad({ filter: /\.wasm-base64\.mjs$/ }, async ({ path }) => {
      const name = `${basename(path, '.wasm-base64.mjs')}.wasm`
      const { wasm } = await import(pathToFileURL(path))
      mkdirSync('dist/chunks', { recursive: true })
      writeFileSync(join('dist/chunks', name), Buffer.from(wasm, 'base64'))
      return {
        contents: "import { readFileSync } from 'node:fs'\n" +
          `export const wasm = readFileSync(new URL('${name}', import.meta.url))`
      }
    })
  }
}

await build({
  entryPoints: ['src/**/*.ts', 'src/base/*.js'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  // What brings files of its own that are no JavaScript, is only there in development, or is handed in from outside.
  external: ['bcrypt', 'pino', '@electric-sql/pglite', 'pino-pretty'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  // Of packages that are CommonJS.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"
  },
  plugins: [compilerAsFile],
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning'
})

// The page at /docs. swagger-ui-dist, which is the same, would report every installation.
mkdirSync('dist/swagger-ui', { recursive: true })
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  copyFileSync(`node_modules/@fastify/swagger-ui/static/${file}`, `dist/swagger-ui/${file}`)
}

// The console's page, which the browser takes file by file, as it is.
cpSync('src/console/page', 'dist/console/page', { recursive: true })

import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { notFound } from '../../base/errors.js'
import { readBody } from '../../base/read-body.js'
import { routePolicy } from '../../limiter/limits/policies.js'
import { UpstreamUnavailable } from '../../modules/failures.js'
import type { DocumentedRoute } from '../../openapi/document.js'
import { endpoints } from '../../openapi/endpoints.js'

const FETCH_TIMEOUT_MS = 5000
const MOST_BYTES = 5_000_000
/** How long a module's document is kept. */
const KEPT_MS = 60_000

/** The build puts an unmodified Swagger UI there, so that the page loads nothing from another host. */
const directory = new URL('../../../dist/swagger-ui/', import.meta.url)
const files = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' }

/** Swagger UI's own colours are too pale to read, and its column of links makes a phone scroll sideways. */
const style = `
nav { padding: 1rem 20px 0; font: 1rem sans-serif; max-width: 1460px; margin: auto }
#swagger-ui .info .title small { background: #4d5461 }
#swagger-ui .info .url, #swagger-ui .link, nav a { color: #0b57d0 }
#swagger-ui .authorize { color: #14713a; border-color: #14713a }
#swagger-ui .authorize svg { fill: #14713a }
#swagger-ui .btn.cancel { color: #b3260f; border-color: #b3260f }
#swagger-ui .opblock-post .opblock-summary-method { background: #14713a }
#swagger-ui .opblock-get .opblock-summary-method, #swagger-ui .btn.execute { background: #0b57d0 }
#swagger-ui .opblock-put .opblock-summary-method { background: #8a5300 }
#swagger-ui .opblock-patch .opblock-summary-method { background: #0b6b57 }
#swagger-ui .opblock-delete .opblock-summary-method { background: #b3260f }
#swagger-ui .json-schema-2020-12-expand-deep-button { color: #505050 }
@media (max-width: 36rem) { #swagger-ui .response-col_links { display: none } }
`

const pageOf = (links: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>gatehouse</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${links}<main id="swagger-ui"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Screen readers need a name for each field, and Swagger UI leaves some without one. */
const startOf = (ofModules: Record<string, string>): string => `
const documents = ${JSON.stringify(ofModules)}
const url = documents[new URLSearchParams(location.search).get('module')] ?? '/docs/openapi.json'
SwaggerUIBundle({ url, dom_id: '#swagger-ui', validatorUrl: null, syntaxHighlight: { theme: 'tomorrow-night' } })
new MutationObserver(() => {
  for (const field of document.querySelectorAll(':is(select, textarea):not([aria-label])')) {
    field.ariaLabel = field.id === 'servers' ? 'Server' : field.matches('select') ? 'Example' : 'Body'
  }
}).observe(document.body, { childList: true, subtree: true })
`

const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The OpenAPI document of all routes that are registered after this plugin, and a page to read it and try it out. The
 * document is made at the first request for it, and again after a change of the limits.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { policy } = endpoints.docs
  const routes: DocumentedRoute[] = []
  let document: Promise<string> | undefined
  app.limits.onChange(() => { document = undefined })

  let ofModules = documentsOf(config)
  app.onReload((next) => { ofModules = documentsOf(next) })

  function page (): string {
    const links = [{ name: 'gatehouse', of: '' }, ...ofModules.map(({ name }) => ({ name, of: `?module=${name}` }))]
      .map(({ name, of }) => `<a href="/docs${of}">${name}</a>`)
    return pageOf(ofModules.length === 0 ? '' : `<nav>${links.join(' · ')}</nav>\n`)
  }

  const start = (): string => startOf(Object.fromEntries(ofModules.map(({ name, url }) => [name, url])))

  serve('/docs', 'text/html', async () => page())
  serve('/docs/start.js', 'text/javascript', async () => start())
  serve('/docs/style.css', 'text/css', async () => style)
  serve('/docs/openapi.json', 'application/json', () => (document ??= compose()))
  serve('/docs/modules/*', 'application/json', async (path) => {
    const module = ofModules.find(({ url }) => url === path)
    if (!module) throw notFound()
    return await module.read()
  })
  for (const [name, type] of Object.entries(files)) {
    serve(`/docs/${name}`, type, () => readFile(new URL(name, directory), 'utf8'))
  }

  app.addHook('onRoute', ({ method, url, config = {}, schema = {} }) => {
    const { operation, anyOrigin = false } = config
    if (operation === undefined || method === 'HEAD') return
    routes.push({
      method: method as string, url, policy: routePolicy(config), anyOrigin, schema: schema as FastifySchema, operation
    })
  })

  function serve (url: string, type: string, read: (path: string) => Promise<string>): void {
    app.get(url, { config: { policy, anyOrigin: true } }, async (request, reply: FastifyReply) => {
      reply.headers({ 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': contentSecurityPolicy })
      return await read(request.url.split('?')[0]!)
    })
  }

  async function compose (): Promise<string> {
    const { createOpenapiDocument } = await import('../../openapi/document.js')
    return JSON.stringify(createOpenapiDocument(routes, config, app.limits), null, 2)
  }
}, { name: 'docs', dependencies: ['limiter', 'routing', 'reload'] })

const documentsOf = ({ modules }: Config) => modules.flatMap(({ name, openapi }) =>
  openapi === undefined ? [] : [{ name, url: `/docs/modules/${name}.json`, read: documentAt(openapi) }])

/**
 * The page gets the documents of modules from here, because it cannot reach the modules itself and has no token. Anyone
 * may ask, so a document is fetched once for all who ask within a minute.
 */
function documentAt (url: string): () => Promise<string> {
  let document: Promise<string> | undefined
  const forget = (): void => { document = undefined }
  return () => {
    if (!document) {
      document = fetchDocument(url)
      document.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
    }
    return document
  }
}

async function fetchDocument (url: string): Promise<string> {
  try {
    const reply = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
    if (!reply.ok) throw new Error(`status ${reply.status}`)
    return (await readBody(reply, MOST_BYTES)).toString()
  } catch (error) {
    throw new UpstreamUnavailable(`no document at ${url}`, { cause: error })
  }
}

#!/usr/bin/env bash
# Vite 7.3.8 (npm), `server.proxy`.
# One expects: '/api': 'http://localhost:PORT' is short for '/api': { target: 'http://localhost:PORT' }.
# What happens: the string also sets `changeOrigin: true`, whose default in the object is false. It replaces Host by that
# of the target, and leaves Origin. So a server that compares both sees a page of another origin with the string alone.
# Output seen:
#   string: Host is the target's, Origin is the page's
#   object: Host is the page's, Origin is the page's
# Exits with 0 if it is still so, and with 1 if the behaviour changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --no-audit --no-fund --save-exact vite@7.3.8 >> npm.log 2>&1

cat > try.mjs <<'END'
import { createServer as createTarget } from 'node:http'
import { createServer } from 'vite'

const target = createTarget(({ headers }, response) => response.end(JSON.stringify(headers))).listen(0, 'localhost')
await new Promise(resolve => target.once('listening', resolve))
const to = `localhost:${target.address().port}`

const seen = {}
for (const [form, proxy] of Object.entries({ string: `http://${to}`, object: { target: `http://${to}` } })) {
  const vite = await createServer({
    configFile: false, logLevel: 'error', server: { host: 'localhost', port: 0, proxy: { '/api': proxy } }
  })
  await vite.listen()
  const page = `localhost:${vite.httpServer.address().port}`
  const answer = await fetch(`http://${page}/api`, { method: 'POST', headers: { origin: `http://${page}` }, body: '{}' })
  const { host, origin } = await answer.json()
  const whose = name => name === page ? "the page's" : name === to ? "the target's" : name
  seen[form] = `Host is ${whose(host)}, Origin is ${whose(origin.replace('http://', ''))}`
  console.log(`${form}: ${seen[form]}`)
  await vite.close()
}
target.close()
const still = seen.string === "Host is the target's, Origin is the page's" &&
  seen.object === "Host is the page's, Origin is the page's"
process.exit(still ? 0 : 1)
END
node try.mjs

#!/usr/bin/env bash
# Node 20.20.2 (V8 11.3), 22.23.3 (12.4), 24.21.0 (13.6) and 26.10.0.
# Expected: process.nextTick costs the same before and after a garbage collection, and an idle moment more or less
# changes nothing.
# Seen: nextTick makes an object with computed keys. V8 remembers the hidden class at each key weakly. If it collects
# garbage while no such object lives, before the function was optimized, the next object gets a new hidden class, which
# the key's inline cache takes for a second one. It gives up, and each later call goes to the runtime: four times as
# slow for the rest of the process, also once it is optimized. If the object of one turn is kept, it does not happen. A
# service meets it by the garbage collections of its start.
#   20.20.2: slower after a collection true, with a kept object false
#   22.23.3: slower after a collection true, with a kept object false
#   24.21.0: slower after a collection true, with a kept object false
#   26.10.0: slower after a collection true, with a kept object false
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat > ticks.mjs << 'JS'
import { executionAsyncResource } from 'node:async_hooks'

const [, , collect, keep] = process.argv
const run = turns => new Promise((resolve) => {
  const next = () => turns-- > 0 ? process.nextTick(next) : resolve()
  next()
})
if (keep) process.nextTick(() => { globalThis.kept = executionAsyncResource() })
for (let i = 0; i < 3; i++) {
  await run(50)
  await new Promise(resolve => setTimeout(resolve, 5))
  if (collect) gc()
}
await run(500_000)
const before = process.cpuUsage()
await run(500_000)
console.log(process.cpuUsage(before).user)
JS
for version in 20.20.2 22.23.3 24.21.0 26.10.0; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node@$version" > /dev/null
  node=$version/node_modules/node/bin/node
  [[ $("$node" --version) == "v$version" ]]
  plain=$("$node" --expose-gc ticks.mjs '' '')
  collected=$("$node" --expose-gc ticks.mjs collect '')
  kept=$("$node" --expose-gc ticks.mjs collect keep)
  echo "$version: slower after a collection $( ((collected > 2 * plain)) && echo true || echo false)," \
    "with a kept object $( ((kept > 2 * plain)) && echo true || echo false)"
done | tee seen
diff seen - << 'TEXT'
20.20.2: slower after a collection true, with a kept object false
22.23.3: slower after a collection true, with a kept object false
24.21.0: slower after a collection true, with a kept object false
26.10.0: slower after a collection true, with a kept object false
TEXT

#!/usr/bin/env bash
# env-schema 8.0.0 (ajv 8).
# Expected: a schema that is written where it is used costs the same at each call as one that is kept in a constant; and
# what a call has compiled is freed after it.
# Seen: the module has one Ajv for all calls, and Ajv keeps what it compiled by the identity of the schema. So each call
# with a literal compiles anew, which takes many times as long, and its memory is never freed. A constant is compiled
# once.
#   literal: slower true, kept true
#   constant: slower false, kept false
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund env-schema@8.0.0 > /dev/null
cat > calls.mjs << 'JS'
import envSchema from 'env-schema'

const properties = Object.fromEntries(Array.from({ length: 50 }, (_, i) =>
  [`SETTING_${i}`, { type: 'integer', default: i, minimum: 0, maximum: 65535 }]))
const constant = { type: 'object', properties, required: [] }
const ways = {
  literal: () => envSchema({ schema: { type: 'object', properties, required: [] }, data: {}, env: false }),
  constant: () => envSchema({ schema: constant, data: {}, env: false })
}
const seen = {}
for (const [name, call] of Object.entries(ways)) {
  call()
  gc()
  const [heap, started] = [process.memoryUsage().heapUsed, performance.now()]
  for (let i = 0; i < 100; i++) call()
  seen[name] = { ms: (performance.now() - started) / 100 }
  gc()
  seen[name].kept = (process.memoryUsage().heapUsed - heap) / 100 > 10_000
}
for (const [name, { ms, kept }] of Object.entries(seen)) {
  console.log(`${name}: slower ${ms > 5 * seen.constant.ms}, kept ${kept}`)
}
JS
node --expose-gc calls.mjs | tee seen
diff seen - << 'TEXT'
literal: slower true, kept true
constant: slower false, kept false
TEXT

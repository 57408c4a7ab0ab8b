#!/bin/sh
# HAProxy wants the items of a list with one space between them, where .env has commas, and at least one item.
set -efu
spaced() { echo $(echo "$@" | tr , ' '); }
nobody=255.255.255.255
EDGE_NETWORKS=$(spaced "${EDGE_NETWORKS:-$nobody}")
PROXY_PROTOCOL_NETWORKS=$(spaced "${PROXY_PROTOCOL_NETWORKS:-$nobody}")
CORS_ORIGINS=$(spaced "$PUBLIC_URL" "$CORS_ORIGINS")
# An edge must be the first to end an idle connection. Without one, clients keep theirs for 15 s: they share 8,000.
if [ "$EDGE_NETWORKS" != "$nobody" ]; then export KEEP_ALIVE="${KEEP_ALIVE_SECONDS:-920}"; fi
export EDGE_NETWORKS PROXY_PROTOCOL_NETWORKS CORS_ORIGINS
exec haproxy -W -db "$@" -f /usr/local/etc/haproxy/haproxy.cfg

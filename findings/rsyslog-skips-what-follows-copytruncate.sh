#!/usr/bin/env bash
# rsyslog 8.2302.0 (Debian 12, rsyslog 8.2302.0-1+deb12u2), its module imfile with its defaults.
# Expected: a file that was truncated, as logrotate's copytruncate does, is read from its beginning, as by `tail -F`.
# Seen: nothing is read until the file is as long as it was before. The lines until then are lost, and the next one
# lacks its beginning. Nothing is reported. With reopenOnTruncate="on" every line arrives.
#   reopenOnTruncate="off": line 1 before, line 2 before, line 3 before, e 4 after, line 5 after, line 6 after
#   reopenOnTruncate="on": line 1 before, line 2 before, line 3 before, line 1 after, line 2 after, …, line 6 after
set -euo pipefail
cd "$(mktemp -d)"
server=
trap 'if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi; rm -rf "$PWD"' EXIT
apt-get download rsyslog libestr0 libfastjson4 liblognorm5 > /dev/null 2>&1
ls ./rsyslog*.deb
for package in ./*.deb; do dpkg -x "$package" root; done
libraries=("$PWD"/root/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH="${libraries[0]}"

# Waits until the program has read the last line that was written.
has () { for _ in $(seq 50); do grep -qs "$1\$" out && return; sleep 0.2; done; }

for reopen in off on; do
  rm -rf out in work
  mkdir work
  cat > rsyslog.conf << CONF
\$WorkDirectory $PWD/work
module(load="imfile")
input(type="imfile" file="$PWD/in" tag="t" ruleset="copy" reopenOnTruncate="$reopen")
template(name="line" type="string" string="%msg%\n")
ruleset(name="copy") { action(type="omfile" file="$PWD/out" template="line") }
CONF
  for i in 1 2 3; do echo "line $i before"; done > in
  root/usr/sbin/rsyslogd -n -f rsyslog.conf -i "$PWD/pid" -M "${libraries[0]}/rsyslog" &
  server=$!
  has 'line 3 before'
  : > in
  # Each line by itself, as a service writes.
  for i in 1 2 3 4 5 6; do sleep 0.5; echo "line $i after" >> in; done
  has 'line 6 after'
  kill "$server" && wait "$server" || true
  server=
  echo "reopenOnTruncate=\"$reopen\": $(paste -sd, out | sed 's/,/, /g')"
done | tee seen
! grep -q '^reopenOnTruncate="off".*line 1 after' seen && grep -q '^reopenOnTruncate="off".*line 6 after' seen
grep -q '^reopenOnTruncate="on".*line 1 after.*line 6 after' seen

#!/usr/bin/env bash
# OpenSMTPD 6.8.0p2 (Debian 12, opensmtpd 6.8.0p2-4+b4). Needs root: it runs in a mount namespace of its own.
# Expected: RCPT TO for a user that a virtual table does not have is 550 5.1.1 (RFC 3463: bad mailbox), and one for a
# domain that the server does not relay for is 550 or 554 with 5.7.1.
# Seen: the unknown user is 524 with 5.2.4, "mailing list expansion problem", though no list is involved. 524 is no code
# of RFC 5321. The foreign domain is an "invalid recipient" without an enhanced code, as a wrong address would be.
#   unknown user:   524 5.2.4 Mailing list expansion problem: <nobody@school.example>
#   foreign domain: 550 Invalid recipient: <asha@elsewhere.example>
set -euo pipefail
cd "$(mktemp -d)"
server=
trap 'if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi; rm -rf "$PWD"' EXIT
chmod 755 .
apt-get download opensmtpd > /dev/null 2>&1
ls ./*.deb
dpkg -x ./*.deb root
cp /etc/passwd passwd
cp /etc/group group
printf 'opensmtpd:x:990:990::/var/lib/opensmtpd/empty:/bin/false\nopensmtpq:x:991:991::/:/bin/false\n' >> passwd
printf 'opensmtpd:x:990:\nopensmtpq:x:991:\n' >> group
cat > smtpd.conf << CONF
table users { "asha@school.example" = nobody }
listen on 127.0.0.1 port 12591
action drop maildir "$PWD/mail" virtual <users>
match from any for domain "school.example" action drop
CONF
cat > run << RUN
mount --bind $PWD/passwd /etc/passwd
mount --bind $PWD/group /etc/group
for directory in /var/spool /var/lib /run; do mount -t tmpfs tmpfs "\$directory"; done
mkdir -p /var/spool/smtpd /var/lib/opensmtpd/empty
chmod 711 /var/spool/smtpd
exec $PWD/root/usr/sbin/smtpd -d -f $PWD/smtpd.conf
RUN
unshare --mount bash run > log 2>&1 &
server=$!
for _ in $(seq 50); do (exec 3<> /dev/tcp/127.0.0.1/12591) 2> /dev/null && break || sleep 0.2; done
exec 3<> /dev/tcp/127.0.0.1/12591
say () { if [ -n "$1" ]; then printf '%s\r\n' "$1" >&3; fi; while IFS= read -r -t 10 line <&3; do [ "${line:3:1}" = - ] || break; done; }
for line in '' 'EHLO client.example' 'MAIL FROM:<gatehouse@school.example>'; do say "$line"; done
say 'RCPT TO:<nobody@school.example>'
echo "unknown user:   ${line%$'\r'}" > seen
say 'RCPT TO:<asha@elsewhere.example>'
echo "foreign domain: ${line%$'\r'}" >> seen
cat seen
diff seen - << 'TEXT'
unknown user:   524 5.2.4 Mailing list expansion problem: <nobody@school.example>
foreign domain: 550 Invalid recipient: <asha@elsewhere.example>
TEXT

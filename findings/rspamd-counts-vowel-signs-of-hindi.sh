#!/usr/bin/env bash
# rspamd 3.4 (Debian 12), its configuration as packaged.
# One expects: a plain Hindi sentence, in UTF-8 and in one script, says nothing about spam.
# What happens: R_MIXED_CHARSET counts the vowel signs above and below the letters (े ै ु ू ं ्) as strange marks, for
# each word of subject and text. Ordinary Hindi gets 3 to 5 of the 6 points that mark a mail. The same in English: 0.
# Output seen:
#   rspamd 3.4-1
#   English: no R_MIXED_CHARSET
#   Hindi: R_MIXED_CHARSET (5.00)[subject]
# Exits with 0 if it is still so, and with 1 if the behaviour changed.
set -euo pipefail

directory=$(mktemp -d)
trap 'kill "${rspamd:-}" 2>/dev/null || true; rm -rf "$directory"' EXIT
cd "$directory"
chmod 777 .
mkdir packages root conf conf/local.d var
(cd packages && apt-get download rspamd libglib2.0-0 libhyperscan5 libicu72 libluajit-5.1-2 libluajit-5.1-common \
  libpcre2-8-0 libsodium23 libsqlite3-0 libunwind8 libjemalloc2 >/dev/null 2>&1)
for package in packages/*.deb; do dpkg -x "$package" root; done
echo "rspamd $(dpkg-deb --field packages/rspamd_*.deb Version)"
chmod 777 var

for module in arc asn dkim dmarc fuzzy_check greylist hfilter history_redis mx_check neural phishing ratelimit rbl \
  replies spf surbl; do echo 'enabled = false;' >"conf/local.d/$module.conf"; done
echo 'type = "console"; level = "error";' >conf/local.d/logging.inc
echo 'dns { nameserver = ["127.0.0.1:9"]; timeout = 0.1s; retransmits = 1; }' >conf/local.d/options.inc
echo 'bind_socket = "127.0.0.1:21399"; count = 1;' >conf/local.d/worker-normal.inc
for worker in controller proxy; do echo 'enabled = false;' >"conf/local.d/worker-$worker.inc"; done

export LD_LIBRARY_PATH="$PWD/root/usr/lib/rspamd:$PWD/root/usr/lib/$(uname -m)-linux-gnu"
share="$PWD/root/usr/share/rspamd"
[ "$(id -u)" = 0 ] && as=(-u nobody -g nogroup) || as=()
root/usr/bin/rspamd -f -i "${as[@]}" -c "$PWD/root/etc/rspamd/rspamd.conf" --var=CONFDIR="$PWD/root/etc/rspamd" \
  --var=LOCAL_CONFDIR="$PWD/conf" --var=DBDIR="$PWD/var" --var=RUNDIR="$PWD/var" --var=LOGDIR="$PWD/var" \
  --var=SHAREDIR="$share" --var=PLUGINSDIR="$share/plugins" --var=RULESDIR="$share/rules" \
  --var=LUALIBDIR="$share/lualib" --var=WWWDIR="$share/www" >rspamd.log 2>&1 &
rspamd=$!

mail () {
  printf 'From: a@example.org\nTo: b@example.org\nSubject: %s\nMIME-Version: 1.0\n' "$1"
  printf 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n%s\n' "$2"
}
symbol () { root/usr/bin/rspamc -h 127.0.0.1:21399 symbols | grep -o 'R_MIXED_CHARSET.*' || echo 'no R_MIXED_CHARSET'; }
until root/usr/bin/rspamc -h 127.0.0.1:21399 symbols </dev/null >/dev/null 2>&1; do
  kill -0 "$rspamd" || { cat rspamd.log; exit 2; }
  sleep 1
done

english=$(mail 'Set a new password' 'Someone asked for a new password. If it was you, set it here.' | symbol)
hindi=$(mail '=?UTF-8?B?4KSo4KSv4KS+IOCkquCkvuCkuOCkteCksOCljeCkoSDgpLjgpYfgpJ8g4KSV4KSw4KWH4KSC?=' \
  'किसी ने नया पासवर्ड सेट करने का अनुरोध किया है। अगर यह अनुरोध आपने किया है, तो उसे यहाँ सेट करें।' | symbol)
printf 'English: %s\nHindi: %s\n' "$english" "$hindi"
[ "$english" = 'no R_MIXED_CHARSET' ] && [[ $hindi =~ \((2|3|4|5)\. ]]

#!/usr/bin/env bash
# Prometheus 2.42.0 (Debian 12, prometheus 2.42.0+ds-5+deb12u1), promtool. `rate` drops the name of a metric.
# Expected: an alert over two metrics, sum(rate({__name__=~"a_total|b_total"}[5m])), adds them up. `promtool check rules`
# takes it, and it works as long as only one of them has a series with the same labels.
# Seen: once the second one has such a series, the rule fails at each evaluation, "vector cannot contain metrics with
# the same labelset", although `sum` would join them. An alert over counters that begin at their first event so works in
# every test, and is silent from then on. One `rate` for each name, added, works.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
chmod 755 .
apt-get download prometheus > /dev/null 2>&1
dpkg -x ./*.deb root
cat > rules.yml << 'YAML'
groups:
  - name: example
    rules:
      - record: joined
        expr: sum(rate({__name__=~"a_total|b_total"}[5m]))
YAML
tests () {
  cat << YAML
rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'a_total{outcome="failure"}', values: '0+60x10' }
$1
    promql_expr_test:
      - { expr: joined, eval_time: 10m, exp_samples: [{ labels: joined, value: 1 }] }
YAML
}
tests '' > one.yml
tests "      - { series: 'b_total{outcome=\"failure\"}', values: '_x5 0x5' }" > both.yml
promtool=root/usr/bin/promtool
{
  echo "check: $("$promtool" check rules rules.yml 2>&1 | grep -o SUCCESS)"
  echo "one: $("$promtool" test rules one.yml 2>&1 | grep -o SUCCESS)"
  echo "both: $("$promtool" test rules both.yml 2>&1 | grep -o 'vector cannot contain metrics with the same labelset' | head -1)"
} | tee seen
diff seen - << 'TEXT'
check: SUCCESS
one: SUCCESS
both: vector cannot contain metrics with the same labelset
TEXT

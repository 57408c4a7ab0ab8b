// A limits file sets what it says, for everyone or for a network, and each of its faults is named.

import t from 'tap'
import type { Policy } from '#src/limiter/bucket/bucket.js'
import { Clients } from '#src/limiter/limits/client.js'
import { Faults } from '#src/base/read-json.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { defaultLimits, limitsDigest, limitFor, policyToRow } from '#src/limiter/limits/policies.js'
import { readPages } from '../../fixtures/markdown.js'

t.test('without a limits file the policies are those of the README', async (t) => {
  const words: Record<number, string> = { 60_000: 'a minute', 300_000: 'every 5 minutes', 3_600_000: 'an hour' }
  const refillOf = ({ refill, periodMs }: Policy): string => `${refill} ${words[periodMs]}`
  const rows = readPages().get('README.md')!.matchAll(/^\| `([\w-]+)` \| (.+) \| (\d+) \| (.+) \|$/gm)
  const printed = [...rows].map(([, name, requests, capacity, refill]) => ({ name, requests, capacity, refill }))
  t.same(
    printed.map(({ name, capacity, refill }) => [name, Number(capacity), refill]),
    Object.values(defaultLimits.policies).map(policy => [policy.name, policy.capacity, refillOf(policy)])
  )
  const address = defaultLimits.policies.session.address!
  t.match(
    printed.find(({ name }) => name === 'session')?.requests,
    `by user; ${address.capacity}, ${refillOf(address)} for an address`
  )
})

t.test('a file overrides what it names, for everyone or for a network, and the longest prefix wins', async (t) => {
  const limits = parseLimits(JSON.stringify({
    policies: { login: { capacity: 7, refill: 2, period: '90s' } },
    networks: {
      '203.0.113.0/24': { login: { capacity: 500, refill: 50, period: '1m' }, general: 'exempt' },
      '203.0.113.8/29': { login: { capacity: 9, refill: 9, period: '30d' } },
      '2001:db8::/32': { general: 'exempt' }
    }
  }))
  const limit = (name: 'login' | 'general', address: string): unknown =>
    limitFor(limits, name, limits.clients.parse(address)!)
  t.match(limit('login', '192.0.2.1'), { name: 'login', capacity: 7, refill: 2, periodMs: 90_000 })
  t.match(limit('login', '203.0.113.1'), { name: 'login', capacity: 500 })
  t.match(limit('login', '203.0.113.9'), { capacity: 9, periodMs: 30 * 86_400_000 })
  t.equal(limit('general', '203.0.113.9'), 'exempt', 'the longer prefix says nothing of general')
  t.match(limit('general', '192.0.2.1'), { capacity: 100 })
  t.equal(limit('general', '2001:db8:7::1'), 'exempt')
  t.match(limit('general', '2001:db9::1'), { capacity: 100 })
  t.match(limit('general', '::ffff:203.0.113.1'), 'exempt')
})

t.test('a file has room for everything that can be set at run time', async (t) => {
  const row = { capacity: 5, refill: 1, period: '1m' }
  const address = { ...row, capacity: 50 }
  const file = {
    policies: {
      login: { ...row, mode: 'off', candidate: { ...row, capacity: 3 } },
      public: { ...row, mode: 'enforce' },
      general: { ...row, by: 'user', address, mode: 'off' }
    },
    networks: { '10.0.0.0/8': { login: 'block', public: { ...row, mode: 'shadow' } } }
  }
  const { policies, networks } = parseLimits(JSON.stringify(file))
  t.match(policies.login, { off: true, candidate: { name: 'candidate-login', capacity: 3, periodMs: 60_000 } })
  t.equal(policies.public.off, undefined)
  t.match(policies.general, { off: true, address: { name: 'shared-general', capacity: 50, off: true } })
  const shadow = { off: true, candidate: { name: 'candidate-public', capacity: 5, periodMs: 60_000 } }
  t.match(networks, [{ overrides: { login: 'block', public: shadow } }])
  t.same([policyToRow(policies.login), policyToRow(policies.general)], [file.policies.login, file.policies.general])
})

t.test('limits have one digest, and others have another', async (t) => {
  const digest = (limits: object): string => limitsDigest(parseLimits(JSON.stringify(limits)))
  const row = { capacity: 5, refill: 1, period: '60s' }
  t.equal(digest({ policies: { login: row }, networks: {} }), limitsDigest(defaultLimits))
  const networks = (row: unknown): object => ({ networks: { '10.0.0.0/8': { login: row } } })
  const policies = (row: object): object => ({ policies: { login: row } })
  const all = [
    {}, policies({ ...row, capacity: 6 }), policies({ ...row, mode: 'shadow' }), policies({ ...row, mode: 'off' }),
    policies({ ...row, candidate: row }), networks('exempt'), networks('block'), networks(row)
  ].map(digest)
  t.equal(new Set(all).size, all.length)
})

const row = { capacity: 5, refill: 1, period: '1m' }
const faulty: Record<string, [unknown, RegExp]> = {
  'a file that is no object': [[], /the file: must be an object/],
  // L78
  'an unknown section': [{ policy: {} }, /there is no "policy" here; there are policies, networks/],
  'an unknown policy': [
    { policies: { logn: row } }, /policies\.logn: there is no policy of this name; there are login/
  ],
  'an inherited name': [{ policies: { constructor: row } }, /policies\.constructor: there is no policy/],
  // L78
  'an unknown key': [
    { policies: { login: { ...row, windowMS: 1 } } }, /there is no "windowMS" here; there are capacity, refill, period/
  ],
  'a count by user where no token is needed': [
    { policies: { login: { ...row, by: 'user', address: row } } },
    /policies\.login\.by: only .*session, .*general.* and policies of modules can count by user/
  ],
  'a count by user without what users share': [
    { policies: { general: { ...row, by: 'user' } } }, /policies\.general\.address: must be an object/
  ],
  'less for all users than for one': [
    { policies: { general: { ...row, by: 'user', address: { ...row, capacity: 4 } } } },
    /policies\.general\.address\.capacity: must be at least the capacity of one user/
  ],
  'what users share where nothing counts by user': [
    { policies: { general: { ...row, address: row } } }, /policies\.general\.address: is for limits with "by": "user"/
  ],
  'a count by something else': [
    { policies: { general: { ...row, by: 'token' } } }, /policies\.general\.by: must be address or user/
  ],
  'no capacity': [
    { policies: { login: { refill: 1, period: '1m' } } },
    /policies\.login\.capacity: must be a whole number from 1 to 1000000/
  ],
  ...Object.fromEntries([0, -1, 1.5, 1_000_001, '5', null].map(capacity =>
    [
      // L76 L77 S99
      `a capacity of ${JSON.stringify(capacity)}`,
      [{ policies: { login: { ...row, capacity } } }, /policies\.login\.capacity/]
    ])),
  // L6
  'a refill above the capacity': [
    { policies: { login: { ...row, refill: 6 } } },
    /policies\.login\.refill: must be a whole number from 1 to the capacity/
  ],
  'a refill of 100,000': [
    { policies: { login: { ...row, capacity: 100_000, refill: 100_000 } } },
    /^policies\.login\.refill: must be a whole number from 1 to 99999$/
  ],
  'an unknown mode': [{ policies: { login: { ...row, mode: 'open' } } }, /login\.mode: must be enforce, shadow or off/],
  'a candidate that fills above its capacity': [
    { policies: { login: { ...row, candidate: { ...row, refill: 6 } } } }, /login\.candidate\.refill: .* the capacity$/
  ],
  'a candidate of more than what users share': [
    {
      policies: { general: { ...row, by: 'user', address: row, candidate: { ...row, capacity: 6 } } }
    },
    /policies\.general\.address\.capacity: must be at least the capacity of one user/
  ],
  'a word that is no limit': [
    { networks: { '10.0.0.0/8': { login: 'admit' } } },
    /^networks\.10\.0\.0\.0\/8\.login: must be a limit, "exempt" or "block"$/
  ],
  ...Object.fromEntries(['5 minutes', '0s', '31d', '21900d', '1.5m', '-1m', '1w', '', 60, '1M', '1000s', '721h',
    '05m'].map(period =>
    [
      // L10 L79
      `a period of ${JSON.stringify(period)}`,
      [{ policies: { login: { ...row, period } } }, /policies\.login\.period: must be 1 to 999 of s, m, h or d/]
    ])),
  'an exempt policy without a network': [
    { policies: { login: 'exempt' } }, /policies\.login: must be a limit; only a network can be exempt or blocked/
  ],
  'a network that is none': [{ networks: { '203.0.113.0/33': {} } }, /"203\.0\.113\.0\/33" is not a network/],
  'a network smaller than a client': [
    { networks: { '2001:db8::1/128': { login: row } } }, /a client is a whole IPv6 \/64/
  ],
  'an account in a network': [
    { networks: { '10.0.0.0/8': { account: row } } },
    /^networks\.10\.0\.0\.0\/8\.account: an account is in no network; its limit stands in policies$/
  ],
  'a network without rows': [{ networks: { '10.0.0.0/8': null } }, /networks\.10\.0\.0\.0\/8: must be an object/]
}

for (const [fault, [file, message]] of Object.entries(faulty)) {
  t.test(`refused: ${fault}`, async (t) => {
    t.throws(() => parseLimits(JSON.stringify(file)), { message })
  })
}

t.test('a network smaller than a client of this process is refused, wherever its limit stands', async (t) => {
  const clients = new Clients(56)
  const file = (network: string): string => JSON.stringify({ networks: { [network]: { login: row } } })
  t.throws(() => parseLimits(file('2001:db8:0:1200::/57'), clients), {
    message: /whole IPv6 \/56 \(CLIENT_IPV6_PREFIX\)/
  })
  t.equal(parseLimits(file('2001:db8:0:1200::/56'), clients).networks.length, 1)
})

t.test('a network that occurs twice, in any spelling, and a repeated key are refused', async (t) => {
  const row = '{"capacity":5,"refill":1,"period":"1m"}'
  const cases: Array<[file: string, faults: string[]]> = [
    [
      '{"networks":{"10.0.0.0/8":{},"::ffff:10.0.0.0/8":{}}}',
      ['networks.::ffff:10.0.0.0/8: is the same network as 10.0.0.0/8']
    ],
    [
      '{"networks":{"2001:DB8::/32":{},"2001:0db8:0::/32":{}}}',
      ['networks.2001:0db8:0::/32: is the same network as 2001:DB8::/32']
    ],
    ['{"networks":{"192.0.2.1":{},"192.0.2.1/32":{}}}', ['networks.192.0.2.1/32: is the same network as 192.0.2.1']],
    [
      `{"policies":{"login":${row},"general":${row},"login":${row}},"policies":{}}`,
      ['policies.login: is there twice', 'policies: is there twice']
    ],
    [
      '{"policies":{"login":{"capacity":5,"refill":1,"period":"1m","capa\\u0063ity":5}}}',
      ['policies.login.capacity: is there twice']
    ]
  ]
  for (const [file, faults] of cases) t.throws(() => parseLimits(file), new Faults(faults), file)
  t.ok(parseLimits(
    `{"policies":{"login":${row},"general":${row}},` +
      `"networks":{"10.0.0.0/8":{"login":${row}},"10.0.0.0/9":{"login":${row}}}}`
  ))
})

t.test('every fault of a file is reported at once, also several of one row', async (t) => {
  const faultsOf = (file: string): string[] => {
    try {
      return Object.keys(parseLimits(file))
    } catch (error) {
      return (error as Faults).faults.map(fault => fault.replace(/: .*/, ''))
    }
  }

  t.same(faultsOf(
    '{"policies":{"login":{"capacity":0,"refill":0,"period":"x"},"nope":{},' +
      '"public":{"capacity":5,"refill":6,"period":"x","mode":"open"}},"networks":{"x":{}}}'
  ).sort(), [
    'networks', 'policies.login.capacity', 'policies.login.period', 'policies.login.refill', 'policies.nope',
    'policies.public.mode', 'policies.public.period', 'policies.public.refill'
  ])
  t.throws(() => parseLimits('{"policies":'), /is not JSON/)
  t.throws(() => parseLimits('{"policies":{"login":{"capacity":1e309,"refill":1,"period":"1m"}}}'), /capacity/)
})

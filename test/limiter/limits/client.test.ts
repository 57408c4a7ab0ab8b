// Every notation of an address is one client with one key, and a text that is not an address is none.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { contains, createNetworkMatcher, parseAddress, parseNetwork } from '#src/base/networks.js'
import { Clients } from '#src/limiter/limits/client.js'
import { createClientCache } from '#src/limiter/limits/known-clients.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'

const peer = '198.18.0.1'

t.test('every notation of an address names one client', async (t) => {
  const clients: Record<string, Record<string, string[]>> = {
    'an IPv4 address is a client': {
      '1.2.3.4': ['1.2.3.4', ' 1.2.3.4 ', '1.2.3.4\t'],
      '255.255.255.255': ['255.255.255.255'],
      '0.0.0.0': ['0.0.0.0']
    },
    // L35 S13
    'an IPv6 /64 is a client, and the next /64 another': {
      '2001:db8::/64': ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:ffff:ffff:ffff'],
      '2001:db8:0:1::/64': ['2001:db8:0:1::1'],
      '2001:db8:1:2::/64': ['2001:db8:1:2:3:4:5:6'],
      '::/64': ['::1', '::']
    },
    // L36 S13
    'IPv4 that is written as IPv6 is IPv4': {
      '1.2.3.4': [
        '::ffff:1.2.3.4', '::ffff:102:304', '::FFFF:1.2.3.4', '0:0:0:0:0:ffff:1.2.3.4', '[::ffff:1.2.3.4]:443',
        '::1.2.3.4'
      ]
    },
    // L37
    'IPv6 that only looks like IPv4 goes by its prefix': {
      '2001:db8::/64': ['2001:db8::1.2.3.4'],
      '64:ff9b::/64': ['64:ff9b::1.2.3.4']
    },
    // L38
    'a port is no part of a client': {
      '1.2.3.4': ['1.2.3.4:5678', '1.2.3.4:1'],
      '2001:db8::/64': ['[2001:db8::1]:443', '[2001:db8::1]']
    },
    // L39
    'a zone is no part of a client': {
      'fe80::/64': ['fe80::1%eth0', 'fe80::1%25eth0', '[fe80::1%eth0]:443']
    },
    // L41
    'capitals and zeros make no other client': {
      '2001:db8:0:a::/64': ['2001:DB8:0:A::1', '2001:0db8:0000:000a:0000:0000:0000:0001', '2001:db8:0:a:0:0:0:1']
    }
  }
  for (const [guarantee, keys] of Object.entries(clients)) {
    await t.test(guarantee, async (t) => {
      for (const [key, texts] of Object.entries(keys)) {
        for (const text of texts) t.equal(new Clients().fromAddress(text)?.key, key, text)
      }
    })
  }
})

// L39 S16
t.test('a text that is not an address is never a client: the peer is', async (t) => {
  const garbage = [
    undefined, '', ' ', 'garbage', 'unknown', 'a:b', '_hidden', '1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4',
    '0x1.2.3.4', '16909060', '1.2.3.4/32',
    '1.2.3.4, 5.6.7.8', '1.2.3.4:', '1.2.3.4:x', '1.2.3.4\r\nSET x y', ':', ':::', '::1::2', '12345::',
    '2001:db8::1:443:0:0:0:0:0', '[1.2.3.4',
    '2001:db8::/64', '[]', '[]:80', '%eth0', '*', '{a}', '-1.2.3.4', '1.2.3.4 5', 'localhost', '\u0661.2.3.4',
    '1'.repeat(10_000), `${'0'.repeat(10_000)}1.2.3.4`,
    `1.2.3.4${' '.repeat(10_000)}`, `::1%${'x'.repeat(10_000)}`
  ]
  const clientOf = createClientCache(defaultLimits)
  for (const text of garbage) t.equal(clientOf(text, peer)?.key, peer, JSON.stringify(text)?.slice(0, 40))
})

t.test('an address that is remembered does not keep the header that it was cut from', (t) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const [count, bytes] = [1000, 16_000]
  const clientOf = createClientCache(defaultLimits)
  const isTrusted = createNetworkMatcher([parseNetwork('127.0.0.1')])
  const remember: Record<string, (text: string) => unknown> = {
    client: text => clientOf(text, undefined)?.bucketFor('general'), proxy: isTrusted
  }
  for (const [name, of] of Object.entries(remember)) {
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < count; i++) {
      const address = `203.100.${100 + (i >> 6)}.${100 + (i & 63)}`
      const header = Buffer.from(address.padStart(bytes)).toString('latin1')
      // Chance decides when it is remembered.
      for (let j = 0; j < 40; j++) of(header.slice(-address.length))
    }
    collectGarbage()
    t.ok(process.memoryUsage().heapUsed - before < count * bytes / 4, name)
  }
  t.same([clientOf(peer, undefined)?.key, isTrusted(peer)], [peer, false], 'neither was collected itself')
  t.end()
})

t.test('clients that ask once seldom push out those that ask often', async (t) => {
  const clientOf = createClientCache(defaultLimits, [], 100)
  const often = Array.from({ length: 50 }, (_, i) => `192.0.2.${i}`)
  for (let i = 0; i < 100; i++) for (const address of often) clientOf(address, undefined)
  const remembered = often.map(address => clientOf(address, undefined))
  for (let i = 0; i < 200; i++) clientOf(`198.51.100.${i}`, undefined)
  t.same(often.filter((address, i) => clientOf(address, undefined) !== remembered[i]), [])
})

// L40
t.test('without any address there is no client, rather than a shared one', async (t) => {
  t.equal(new Clients().fromAddress(undefined), undefined)
  t.equal(new Clients().fromAddress('garbage'), undefined)
  t.equal(new Clients().fromAddress(''), undefined)
})

t.test('a network contains the addresses of its prefix, and none of the other family', async (t) => {
  const networks: Array<[network: string, inside: string[], outside: string[]]> = [
    [
      '10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'],
      ['11.0.0.0', '9.255.255.255', '::a00:1', '2001:db8::1']
    ],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.6', '192.0.2.8']],
    ['192.0.2.7/32', ['192.0.2.7'], ['192.0.2.6']],
    ['0.0.0.0/0', ['1.1.1.1'], ['::1']],
    ['::/0', ['2001:db8::1'], ['1.1.1.1', '::ffff:1.1.1.1']],
    ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1']],
    ['2001:db8::1', ['2001:db8::1'], ['2001:db8::2']],
    [' 10.0.0.0/8 ', ['10.1.1.1'], []]
  ]
  for (const [text, inside, outside] of networks) {
    const network = parseNetwork(text)
    for (const address of inside) t.equal(contains(network, parseAddress(address)!), true, `${address} in ${text}`)
    for (const address of outside) {
      t.equal(contains(network, parseAddress(address)!), false, `${address} not in ${text}`)
    }
  }
})

t.test('an address within a network is refused, and the message names the network', async (t) => {
  for (const [text, network] of [
    ['10.1.2.3/8', '10.0.0.0/8'], ['192.0.2.1/31', '192.0.2.0/31'], ['2001:DB8::1/32', '2001:db8::/32'],
    ['::ffff:10.0.0.1/8', '10.0.0.0/8'], ['1.0.0.0/0', '0.0.0.0/0']
  ] as const) {
    t.throws(() => parseNetwork(text), {
      message: `"${text}" is an address within a network: write ${network} for the network, or the address alone`
    })
  }
})

// L32
t.test('a text that is not a network is refused by name, including a hop count and "true"', async (t) => {
  const faults = [
    '1', 'true', '*', '', '/', 'loopback', 'proxy.example', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8.5',
    '10.0.0.0/8x', '10.0.0.0/ 8', '10.0.0.0/255.0.0.0',
    '10.0.0.0/8/8', '/8', '10.0.0/8', '10.0.0.0-10.0.0.9', '2001:db8::/129', '2001:db8::/1e2', '2001:db8:/32',
    '::ffff:10.0.0.0/104'
  ]
  for (const text of faults) {
    t.throws(() => parseNetwork(text), {
      message: new RegExp(`^"${text.replace(/[.*+?()[\]]/g, '\\$&')}" is not a network`)
    }, text)
  }
})

t.test('with another width, an IPv6 client is that network, also where a log has smaller ones', async (t) => {
  const wide = new Clients(56)

  t.equal(wide.fromAddress('2001:db8:0:12ff::1')?.key, '2001:db8:0:1200::/56')
  t.equal(wide.fromAddress('2001:db8:0:1300::1')?.key, '2001:db8:0:1300::/56')
  t.equal(wide.fromAddress('::ffff:1.2.3.4')?.key, '1.2.3.4')
  for (const text of ['2001:db8:0:12ab::/64', '2001:db8:0:1200::/56', '2001:db8:0:1200::/60', '2001:db8:0:1234::9']) {
    t.equal(wide.parse(text)?.key, '2001:db8:0:1200::/56', text)
  }
  for (const text of ['2001:db8::/48', '2001:db8::/80', '1.2.3.4/56']) t.equal(wide.parse(text), undefined, text)
})

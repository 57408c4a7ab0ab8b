// Every valid reply of Redis passes, however it is cut, and no invalid or endless one does.

import t from 'tap'
import { respSyntax } from '#src/limiter/redis/resp-syntax.js'
import { generator } from '../../fixtures/random.js'

const replies = [
  '+OK\r\n', '+\r\n', '-ERR nonsense\r\n', ':7\r\n', ':-1\r\n', ':+9223372036854775807\r\n', '_\r\n', '$-1\r\n',
  '*-1\r\n', '*0\r\n', '$0\r\n\r\n', '$2\r\n\r\n\r\n',
  '#t\r\n', '#f\r\n', ',nan\r\n', ',-inf\r\n', ',1.5\r\n', ',1.7976931348623157e+308\r\n', '(123456789012345678901\r\n',
  '=7\r\ntxt:abc\r\n', '!9\r\nERR wrong\r\n',
  '%0\r\n', '%2\r\n+a\r\n*2\r\n:1\r\n*0\r\n$1\r\nb\r\n_\r\n', '~2\r\n:1\r\n:2\r\n',
  '>3\r\n$7\r\nmessage\r\n$1\r\na\r\n$11\r\n01234567890\r\n', '*2\r\n*2\r\n*-1\r\n$-1\r\n*1\r\n*0\r\n',
  `*1\r\n*3\r\n:0\r\n:16383\r\n*4\r\n$9\r\n127.0.0.1\r\n:6379\r\n$40\r\n${'a'.repeat(40)}\r\n*0\r\n`,
  `${'*1\r\n'.repeat(8)}:1\r\n`, `+${'x'.repeat(70_000)}\r\n`
].map(reply => Buffer.from(reply))

t.test('every valid reply passes, however it is cut into chunks, and nonsense after it does not', async (t) => {
  const whole = Buffer.concat(replies)
  for (let seed = 0; seed < 200; seed++) {
    const random = generator(seed)
    const check = respSyntax()
    const most = [1, 3, 20, 100_000][seed % 4]!
    for (let at = 0; at < whole.length;) {
      const end = at + 1 + Math.floor(random() * most)
      check(whole.subarray(at, end))
      at = end
    }
    t.throws(() => check(Buffer.from('$!\r\n')), `seed ${seed}`)
  }
})

t.test('a truncated reply, followed by bytes of another connection, never makes the check loop', async (t) => {
  for (const reply of replies) {
    for (let end = 0; end < Math.min(reply.length, 100); end++) {
      const check = respSyntax()
      check(reply.subarray(0, end))
      try {
        for (let i = 0; i < 3; i++) check(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
      } catch {}
    }
  }
  t.pass('each came to an end')
})

t.test('replies are limited one by one, not together', async (t) => {
  const check = respSyntax()
  const megabyte = Buffer.from(`$1000000\r\n${'x'.repeat(1_000_000)}\r\n`)
  for (let i = 0; i < 100; i++) check(megabyte)
  const array = Buffer.from(`*100000\r\n${':1\r\n'.repeat(100_000)}`)
  for (let i = 0; i < 20; i++) check(array)
  t.throws(() => {
    for (let i = 0; i < 20; i++) check(Buffer.concat([Buffer.from(i === 0 ? '*20\r\n' : ''), megabyte]))
  }, 'twenty of them in one array')
})

t.end()

// No path leads out of a module's prefix, and a path that all servers read alike passes unchanged.

import t from 'tap'
import { isUnambiguous, pathUnder, splitTarget } from '#src/modules/paths.js'

const prefix = '/api/student'

t.test('a path that every server reads the same way passes', async (t) => {
  const paths = [
    '', '/', '/1', '/a/b/', '/a%20b', '/a%2Fb', '/a;v=1/b', '/.hidden', '/a..b', '/a.', '/a%20.', '/%E0%A4%86',
    '/..a', '/a../b', '/a..%2fb', '/%2e.a', '/caf%C3%A9', '/a%25', '/100%25', '/a,b@c:d!$&\'()*+=~',
    '/{x}', '/"x"', '?a=../..', '/1?a=%2e%2e/\\//', '/a%ff'
  ]
  for (const path of paths) t.ok(isUnambiguous(prefix + path), path)
})

// S21 S24
t.test('a path that might lead out of its prefix is refused, however it is written', async (t) => {
  const paths = [
    '/..', '/../employee', '/.', '/./x', '/x/..', '/x/../../employee', '/%2e%2e/employee', '/%2E./employee', '/.%2e',
    '/%2e', '/a%2f..%2f..%2femployee', '/..%2femployee', '/..%5cemployee', '/..;/employee', '/..;x=1/employee',
    '/%2e%2e;/employee', '/..%3b/employee', '/.;/x', '/;/x', '/a/;x=1/b', '//employee', '/a//b', '/%2f/employee',
    '/a%2f/b', '/a%2f%2fb', '\\employee', '/a\\b', '/a%5cb', '/a%5C..%5C..', '/%252e%252e/employee', '/%25252e%25252e',
    '/..%252femployee', '/%25%32%65%25%32%65/x', '/a%255c..', `/%${'25'.repeat(9)}41`, '/a%00b', '/a%0d%0ab', '/a%7fb',
    '/...', '/..%20/employee', '/%20../employee', '/.%20./x', '/..%20;x/y', '/%20', '/%2e%2e%2e', '/..%2520/x',
    '/a%09', '/a#b', '/a b', '/caf\u00e9', '/\u0000', '/a\tb'
  ]
  for (const path of paths) t.notOk(isUnambiguous(prefix + path), path)
})

t.test('the path of an absolute form is what follows its host', async (t) => {
  t.same(splitTarget('http://evil/api/student/1?a=b?c'), { path: '/api/student/1', query: '?a=b?c' })
  t.same(splitTarget('HTTPS://u@evil:1/x'), { path: '/x', query: '' })
  t.same(splitTarget('/http://evil/x?'), { path: '/http://evil/x', query: '?' })
  t.notOk(isUnambiguous('http://evil/api/student/../employee'))
  t.ok(isUnambiguous('http://evil/api/student/1'))
})

t.test('a module gets its prefix decoded, and the rest as the client sent it', async (t) => {
  for (const [target, path] of [
    ['/api/student', prefix], ['/api/student/%31?a=%2e', '/api/student/%31?a=%2e'],
    ['/%61pi/s%74udent/%31/x?y', '/api/student/%31/x?y'], ['/%61pi/student', prefix],
    ['http://evil/api/student/1?a', '/api/student/1?a'], ['http://evil/api/student?a', '/api/student?a']
  ] as const) t.equal(pathUnder(prefix, target), path, target)
})

t.end()

// MODULES and a MODULES_FILE say the same, and each fault is named before anything listens.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '#src/config/load.js'
import type { Module } from '#src/modules/module.js'
import { Faults } from '#src/base/read-json.js'
import { parseModules, parseModulesFile } from '#src/modules/modules-file.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'

const upstream = 'http://student:8080'

t.test('five modules have a name before they have an upstream', async (t) => {
  const { modules } = readConfig({})
  for (const prefix of ['/api/student', '/api/employee', '/api/academic', '/api/inventory', '/api/hostel']) {
    t.same(modules.filter(module => module.prefix === prefix).map(({ upstream }) => upstream), [undefined], prefix)
  }
})

t.test('the short form and the file say the same', async (t) => {
  const short = '/api/student=http://student:8080, ' +
    '/api/employee=http://employee:8080;roles=ADMIN|HR;policy=hr;timeout=90s;idle=5m;maxBodyBytes=0;token=own;' +
    'host=client,' +
    '/api/library=https://library.example;public'
  const file = {
    modules: {
      '/api/student': { upstream },
      '/api/employee': {
        upstream: 'http://employee:8080',
        roles: ['ADMIN', 'HR'],
        policy: 'hr',
        timeout: '90s',
        idle: '5m',
        maxBodyBytes: 0,
        token: 'own',
        host: 'client'
      },
      '/api/library': { upstream: 'https://library.example', public: true }
    }
  }
  const modules = parseModules(short)
  t.same(modules, parseModulesFile(JSON.stringify(file)))
  const named = (name: string) => modules.find(module => module.name === name)
  t.same(named('student'), {
    name: 'student',
    prefix: '/api/student',
    upstream,
    public: false,
    roles: [],
    policy: 'general',
    timeoutMs: 25_000,
    idleMs: 30_000,
    maxBodyBytes: 10_485_760,
    host: 'upstream',
    token: 'none'
  })
  t.match(named('employee'), {
    roles: ['ADMIN', 'HR'],
    policy: 'hr',
    timeoutMs: 90_000,
    idleMs: 300_000,
    maxBodyBytes: 0,
    host: 'client',
    token: 'own'
  })
  t.match(named('library'), { public: true, upstream: 'https://library.example' })
})

const faulty: Array<[file: string, faults: RegExp]> = [
  ['{', /is not JSON/],
  ['[]', /the file: must be an object/],
  ['{}', /modules: must be an object/],
  ['{"modules":{},"module":{}}', /the file: there is no "module" here/],
  ['{"modules":{"/api/student":{},"/api/student":{}}}', /modules\.\/api\/student: is there twice/],
  ...[
    'student', '/api', '/api/', '/api/student/', '/api/student/x', '/API/student', '/api/Student', '/api/stu%64ent',
    '/api/..', '/', '', '/student', '/api/student?x'
  ].map((prefix): [string, RegExp] =>
    [JSON.stringify({ modules: { [prefix]: {} } }), /a module's prefix is \/api\/ and one name/]),
  ['{"modules":{"/api/auth":{}}}', /modules\.\/api\/auth: is gatehouse's own/],
  ['{"modules":{"/api/school-erp":{}}}', /modules\.\/api\/school-erp: is the audience of gatehouse's own tokens/],
  ['{"modules":{"/api/student":[]}}', /modules\.\/api\/student: must be an object/],
  ...Object.entries({
    upstream: [
      'student:8080', 'http://student:8080/', 'http://student:8080/v1', 'http://u:p@student', 'ftp://student',
      'http://', 1, null
    ],
    public: ['true', 1],
    roles: ['ADMIN', [], ['admin'], ['A,B'], [1]],
    policy: ['login', 'account', 'public', 'a:b', 'returned-x', 'returned-general', '', 'X'],
    timeout: ['25', 25, '0s', '2h', '1d', '99999s', '3601s'],
    idle: ['1ms'],
    maxBodyBytes: ['1', -1, 1.5, 2 ** 60],
    host: ['public', true],
    token: [true, 'all'],
    openapi: ['/openapi.json', 'file:///etc/passwd', 'http://u:p@student/openapi.json', 'http://', 1]
  }).flatMap(([name, values]) => values.map((value): [string, RegExp] => [
    JSON.stringify({ modules: { '/api/student': { [name]: value } } }),
    new RegExp(`^modules\\./api/student\\.${name}(\\.0)?: must be`)
  ])),
  ['{"modules":{"/api/student":{"upsteam":"http://x"}}}', /there is no "upsteam" here; there are upstream, /],
  ['{"modules":{"/api/student":{"public":true,"roles":["ADMIN"]}}}', /can have no roles/],
  ['{"modules":{"/api/student":{"public":true,"token":"own"}}}', /gets none of its own/]
]

t.test('a modules file is refused with what would be right', async (t) => {
  for (const [file, message] of faulty) t.throws(() => parseModulesFile(file), { message }, file)
})

t.test('every fault of a file is named at once', async (t) => {
  const student = { upstream: 'student', roles: 'ADMIN', timout: '1s' }
  const file = { modules: { '/api/student': student, nowhere: { public: 'yes' } } }
  t.throws(() => parseModulesFile(JSON.stringify(file)), new Faults([
    'modules./api/student: there is no "timout" here; ' +
      'there are upstream, public, roles, policy, timeout, idle, maxBodyBytes, host, token, openapi',
    'modules./api/student.upstream: must be an origin such as http://student:8080, without a path',
    'modules./api/student.roles: must be one or more roles such as ADMIN, each once',
    'modules.nowhere.public: must be true or false',
    'modules.nowhere: a module\'s prefix is /api/ and one name, such as /api/student'
  ]))
})

t.test('the faults of the short form are named, too', async (t) => {
  t.throws(() => parseModules('/api/student=http://a,/api/student=http://b'), {
    message: /\/api\/student: is there twice/
  })
  t.throws(() => parseModules('/api/student=http://a;roles=;publc;timeout=1'), {
    message: /"publc".*\n.*\.roles\.0: must be a role.*\n.*\.timeout: must be a time/
  })
  for (const [options, message] of [
    ['roles=ADMIN;roles=HR', /student\.roles: is there twice/], ['public;public', /student\.public: is there twice/],
    ['roles=ADMIN;', /student: has an empty option/], ['roles=HR|HR', /\.roles: must be .* each once/],
    ['public,', /have an empty entry; remove the comma/]
  ] as const) {
    t.throws(() => parseModules(`/api/student=http://a;${options}`), { message }, options)
  }
  t.throws(() => parseModules('/api/student=http://a;maxBodyBytes=1e3'), { message: /maxBodyBytes: must be a whole number/ })
})

const ofEnvironment: Array<[NodeJS.ProcessEnv, RegExp]> = [
  [{ MODULES: '/api/student=nowhere' }, /^ {2}MODULES: \/api\/student\.upstream: must be an origin/m],
  [{ MODULES_FILE: 'no/such/file' }, /MODULES_FILE: does not exist/],
  [{ MODULES: '/api/student=http://a;policy=own' }, /LIMITS_FILE: must define the policy own, which \/api\/student names/],
  [
    { MODULES: '/api/student=http://a;token=own' },
    /JWT_PRIVATE_KEY: must be set, because \/api\/student is to get tokens of its own/
  ]
]

t.test('an environment with faulty modules is refused before anything listens', async (t) => {
  for (const [environment, message] of ofEnvironment) t.throws(() => readConfig(environment), { message })
})

t.test('MODULES and a MODULES_FILE that names a module exclude each other; one that names none may stay', async (t) => {
  const directory = newDirectory(t, {
    'none.json': '{"modules":{}}', 'one.json': '{"modules":{"/api/hostel":{"public":true}}}'
  })
  const read = (file: string) => readConfig({
    MODULES: '/api/student=http://student:8080', MODULES_FILE: join(directory, file)
  })
  t.throws(() => read('one.json'), { message: /MODULES_FILE: must name no module if MODULES is set/ })
  t.equal(read('none.json').modules.find(({ name }) => name === 'student')?.upstream, 'http://student:8080')
})

t.test('LIMITS_FILE defines a policy of another name only if a module names it', async (t) => {
  const directory = newDirectory(t, {
    'limits.json':
      '{"policies":{"hr":{"capacity":3,"refill":1,"period":"1m"}},"networks":{"10.0.0.0/8":{"hr":"exempt"}}}'
  })
  const LIMITS_FILE = join(directory, 'limits.json')
  t.throws(() => readConfig({ LIMITS_FILE }), {
    message: /policies\.hr: there is no policy of this name; .*, and those that a module names/
  })
  const { limits } = readConfig({ LIMITS_FILE, MODULES: '/api/employee=http://employee:8080;policy=hr' })
  t.match((limits.policies as Record<string, object>).hr, { name: 'hr', capacity: 3, refill: 1, periodMs: 60_000 })
  const check = async (MODULES: string) => await command(['limits', 'check', LIMITS_FILE], { MODULES })
  t.match(await check(''), { code: 1, stderr: /policies\.hr: there is no policy/ })
  t.match(await check('/api/employee=http://employee:8080;policy=hr'), { code: 0, stdout: /^any +hr +3 at once, then 1 every 1m$/m })
})

t.test('gatehouse modules check FILE prints what a file sets, or every fault of it', async (t) => {
  const modules = {
    '/api/employee': { upstream, roles: ['ADMIN', 'HR'], timeout: '2m' },
    '/api/library': { upstream, public: true }
  }
  const directory = newDirectory(t, { 'good.json': JSON.stringify({ modules }) })
  const good = join(directory, 'good.json')
  const { code, stdout } = await command(['modules', 'check', good])
  t.equal(code, 0)
  t.match(stdout, /^MODULE +UPSTREAM +FOR +POLICY +TIMEOUT +IDLE +BODY +TOKEN$/m)
  t.match(stdout, /^\/api\/student +none: 404 +any user +general +25 s +30 s +10485760 bytes +none$/m)
  t.match(stdout, /^\/api\/employee +http:\/\/student:8080 +ADMIN, HR +general +120 s/m)
  t.match(stdout, /^\/api\/library +http:\/\/student:8080 +everyone/m)
  const asJson = await command(['modules', 'check', good, '--json'])
  const checked = JSON.parse(asJson.stdout) as Module[]
  t.equal(checked[0]?.name, 'student')
  t.match(checked.find(({ name }) => name === 'library'), { prefix: '/api/library', public: true })
  writeFileSync(good, '{"modules":{"student":{"x":1}}}')
  t.match(await command(['modules', 'check', good]), {
    code: 1,
    stdout: '',
    stderr: /has 2 faults:\n {2}modules\.student: there is no "x" here.*\n {2}modules\.student: a module's prefix/
  })
  t.match(await command(['modules', 'check', join(directory, 'none.json')]), { code: 3, stderr: /there is no file/ })
})

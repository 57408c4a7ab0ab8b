// Every setting is checked before anything listens. A message names each fault and what is valid, and repeats no
// secret.

import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig, readConfig } from '#src/config/load.js'
import { newDirectory } from '../fixtures/lifetime.js'

const secret = 'mJ2x8Qv-7rTzLkP0aWbN5yDcHfGs31Ue'
const production = {
  NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@db/x', REDIS_URL: 'redis://redis', JWT_SECRET: secret
}

t.test('a migration in production needs nothing but its database', async (t) => {
  t.match(readConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@db/x' }, 'migrate'), { production: true })
  t.throws(() => readConfig({ NODE_ENV: 'production' }, 'migrate'), /DATABASE_URL: must be set/)
})

t.test('without any variable the service runs on embedded parts, for this machine only', async (t) => {
  t.match(readConfig({}), {
    production: false,
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    redisUrl: undefined,
    jwtSecrets: [],
    jwtPrivateKeys: [],
    smtpUrl: undefined,
    mailFrom: 'gatehouse@localhost',
    trustProxy: []
  })
})

t.test('lists are separated by commas, with or without spaces', async (t) => {
  const config = readConfig({
    CORS_ORIGINS: 'https://a.example, http://b.example:8080',
    CORS_HEADERS: 'X-Tenant, x-school.id',
    TRUST_PROXY: '10.0.0.0/8,2001:db8::1',
    JWT_SECRET: `${secret}, x${secret}`
  })
  t.same(config.corsOrigins, ['https://a.example', 'http://b.example:8080'])
  t.same(config.trustProxy.map(({ address, prefixLength }) => `${address}/${prefixLength}`), [
    '10.0.0.0/8', '2001:db8::1/128'
  ])
  t.same(config.jwtSecrets, [secret, `x${secret}`])
})

t.test('tracing is on where there is a collector or an exporter, unless the SDK is disabled', async (t) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const tracings: Array<[NodeJS.ProcessEnv, string | undefined]> = [
    [{}, undefined],
    [endpoint, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }, 'http/protobuf'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http/protobuf'],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, undefined],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_SAMPLER: 'nonsense' }, undefined],
    [{ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'a=1, b = x%20y', OTEL_BSP_SCHEDULE_DELAY: '500' }, 'http/protobuf'],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'false' }, 'http/protobuf'],
    ...['0', '1', '0.25', '.5', '1.0'].map((ratio): [NodeJS.ProcessEnv, string] => [
      { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio }, 'http/protobuf'
    ])
  ]
  for (const [environment, tracing] of tracings) t.equal(readConfig(environment).tracing, tracing, environment)
})

const faulty: Array<[NodeJS.ProcessEnv, RegExp]> = [
  [{ PORT: '70000' }, /PORT: must be a port from 0 to 65535/],
  ...[
    '1e400', '0x1F', '3e3', '1.0', '+3', '3 0', '-1', '9'.repeat(400)
  ].flatMap((number): Array<[NodeJS.ProcessEnv, RegExp]> => [
    [{ PORT: number }, /^ {2}PORT: must be a port/m],
    [{ BCRYPT_COST: number }, /^ {2}BCRYPT_COST: must be a whole number/m]
  ]),
  ...['prod', 'Production', 'staging'].map((name): [NodeJS.ProcessEnv, RegExp] =>
    [{ NODE_ENV: name }, /NODE_ENV: must be production, development or test, or not set/]),
  [{ DATABASE_URL: 'mysql://u:geheim@db/x' }, /DATABASE_URL: must look like postgresql:/],
  [{ REDIS_URL: 'redis://:p#geheim@h:6379' }, /REDIS_URL: has a # .* write it as %23/],
  [{ LIMITER_ON_REDIS_FAILURE: 'panic' }, /LIMITER_ON_REDIS_FAILURE: must be local, closed or open/],
  [{ REDIS_TIMEOUT_MS: '9' }, /REDIS_TIMEOUT_MS: must be a whole number from 10 to 10000/],
  [{ DATABASE_TIMEOUT_MS: '99' }, /DATABASE_TIMEOUT_MS: must be a whole number from 100 to 60000/],
  ...['47', '65', '/56'].map((width): [NodeJS.ProcessEnv, RegExp] =>
    [{ CLIENT_IPV6_PREFIX: width }, /CLIENT_IPV6_PREFIX: must be a whole number from 48 to 64/]),
  [{ BCRYPT_COST: '9' }, /BCRYPT_COST: must be a whole number from 10 to 16/],
  [{ LOG_LEVEL: 'verbose' }, /LOG_LEVEL: must be fatal/],
  [{ TRUST_PROXY: '1' }, /TRUST_PROXY: "1" is not a network/],
  [{ HOST: '999.1.1.1' }, /HOST: must be an address/],
  [{ HOST: '[::1]' }, /HOST: must be an address/],
  [{ OPS_HOST: 'fe80::1%lo x' }, /OPS_HOST: must be an address/],
  [{ PORT: '3000', OPS_PORT: '3000' }, /OPS_PORT: must be another port/],
  [{ VERIFY_PORT: '9464', TRUST_PROXY: '127.0.0.1' }, /VERIFY_PORT: must be another port than OPS_PORT/],
  [{ VERIFY_PORT: '9465' }, /TRUST_PROXY: must be set with VERIFY_PORT/],
  [{ TRUST_PROXY: '10.0.0.0/8,::/0' }, /TRUST_PROXY: names everyone/],
  [{ TRUST_PROXY: '10.1.2.3/8' }, /TRUST_PROXY: "10\.1\.2\.3\/8" .* write 10\.0\.0\.0\/8/],
  ...['*', 'X Tenant', 'X-Tenant:', 'x-datadog-*'].map((name): [NodeJS.ProcessEnv, RegExp] =>
    [{ CORS_HEADERS: name }, /CORS_HEADERS: ".*" must be the name of a header/]),
  [{ CORS_ORIGINS: '*' }, /CORS_ORIGINS: "\*" must be an origin/],
  ...[
    'https://erp.example/', 'https://erp.example:443', 'HTTPS://erp.example', 'null', 'file://', 'file://x', 'ionic:/x',
    'capacitor://', 'capacitor://*', 'tauri://localhost/', 'Tauri://localhost', 'ws://a', 'app://a:b', 'app://u@a'
  ].map((origin): [NodeJS.ProcessEnv, RegExp] => [{ CORS_ORIGINS: origin }, /CORS_ORIGINS: ".*" must be an origin/]),
  [{ PUBLIC_URL: 'erp.example' }, /PUBLIC_URL: must be an origin/],
  ...['erp.example/login', 'javascript:alert(1)'].map((url): [NodeJS.ProcessEnv, RegExp] =>
    [{ LOGIN_URL: url }, /LOGIN_URL: must be a URL such as https:/]),
  [{ APP_NAME: 'School\nBcc: c@d.example' }, /APP_NAME: must be one line/],
  [{ JWT_SECRET: `${secret}\n${secret.replace('m', 'k')}` }, /JWT_SECRET: secret 1 has a line break/],
  [{ JWT_SECRET: 'geheim' }, /JWT_SECRET: secret 1 is shorter than 32 characters; make one with/],
  [{ JWT_SECRET: `${secret},${'geheim'.repeat(9)}` }, /JWT_SECRET: secret 2 repeats a few characters/],
  [{ OPS_TOKEN: 'geheim' }, /OPS_TOKEN: is shorter than 32 characters; make one with/],
  [{ OPS_TOKEN: `${secret} with spaces` }, /OPS_TOKEN: must be of visible ASCII characters/],
  [{ JWT_SECRET: 'change-me-0123456789-0123456789-abc' }, /JWT_SECRET: secret 1 is a placeholder/],
  ...[
    '@Microsoft.KeyVault(SecretUri=https://erp.vault.azure.net/secrets/jwt/)',
    'op://school/gatehouse/jwt-secret-of-2026',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:jwt', 'vault:secret/data/gatehouse/production#jwt_secret',
    'projects/123456789/secrets/jwt/versions/latest',
    '$(kubectl get secret gatehouse-jwt-secret)'
  ].map((text): [NodeJS.ProcessEnv, RegExp] =>
    [{ JWT_SECRET: text }, /JWT_SECRET: secret 1 is a reference that the platform has not replaced/]),
  [
    { NODE_ENV: 'production', DATABASE_URL: 'postgresql://u:p@h/d', REDIS_URL: 'redis://h', JWT_SECRET: ' , ' },
    /JWT_SECRET: has an empty entry.*\n.*JWT_SECRET: must be set in production/
  ],
  [
    { JWT_PRIVATE_KEY: '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----' },
    /JWT_PRIVATE_KEY: has the parameters of a key, but no key/
  ],
  [
    { SMTP_URL: 'smtp://mailer:2024#secret@smtp.school.example', PUBLIC_URL: 'https://x.example' },
    /SMTP_URL: has a # .* write it as %23/
  ],
  [
    { SMTP_URL: 'smtp://:secret@smtp.school.example', PUBLIC_URL: 'https://x.example' },
    /SMTP_URL: has a password without a user/
  ],
  [
    { SMTP_URL: 'smtp://smtp.school.example?requireTLS=false', PUBLIC_URL: 'https://x.example' },
    /SMTP_URL: has a query/
  ],
  [
    { SMTP_URL: 'smtp://gate@smtp.school.example', PUBLIC_URL: 'https://x.example' },
    /SMTP_URL: has a user without a password; add it, or set SMTP_TOKEN_URL/
  ],
  ...['smtp://smtp.school.example', 'smtp://gate:geheim@smtp.school.example'].map(
    (SMTP_URL): [NodeJS.ProcessEnv, RegExp] => [
      { SMTP_URL, SMTP_TOKEN_URL: 'https://id:geheim@issuer.example/token', PUBLIC_URL: 'https://x.example' },
      /SMTP_URL: must have a user and no password with SMTP_TOKEN_URL/
    ]),
  [{ SMTP_TOKEN_URL: 'https://id:geheim@issuer.example/token' }, /SMTP_URL: must be set with SMTP_TOKEN_URL/],
  [{ SMTP_TOKEN_URL: 'https://geheim@issuer.example/token' }, /SMTP_TOKEN_URL: has no client or no secret/],
  [{ SMTP_TOKEN_URL: 'http://id:geheim@issuer.example/token' }, /SMTP_TOKEN_URL: must be of https/],
  [{ MAIL_FROM: 'Gatehouse <a@b' }, /MAIL_FROM: must be an address such as/],
  [{ USER_CREATION: 'everyone' }, /USER_CREATION: must be open or admin/],
  [{ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, /MAIL_FROM: must be an address such as/],
  [
    { SMTP_URL: 'smtp://u:geheim@mail.example/path', PUBLIC_URL: 'https://erp.example' },
    /SMTP_URL: must look like smtp:/
  ],
  [{ SMTP_URL: 'smtp://u:geheim@mail.example' }, /PUBLIC_URL: must be set with SMTP_URL/],
  [{ PUBLIC_URL: 'http://erp.example', ...production }, /PUBLIC_URL: must be of https in production/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL such as/],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://:geheim' }, /OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: must be a URL/],
  [
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /OTEL_EXPORTER_OTLP_PROTOCOL: must be http\/protobuf or http\/json/
  ],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER: must be otlp, console or none/],
  [{ OTEL_TRACES_EXPORTER: 'console', OTEL_TRACES_SAMPLER: 'always' }, /OTEL_TRACES_SAMPLER: must be always_on, /],
  ...[undefined, '1.1', '-1', 'half', '.'].map((ratio): [NodeJS.ProcessEnv, RegExp] => [
    {
      OTEL_TRACES_EXPORTER: 'console', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio
    },
    /OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1/
  ]),
  [{ OTEL_SDK_DISABLED: 'yes' }, /OTEL_SDK_DISABLED: must be true or false/],
  [{ OTEL_TRACES_SAMPLER: 'nonsense' }, /OTEL_TRACES_SAMPLER: must be always_on, /],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '2k' }, /OTEL_BSP_MAX_QUEUE_SIZE: must be a whole number/],
  [{ OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'zstd' }, /OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: must be gzip or none/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization: geheim' }, /OTEL_EXPORTER_OTLP_HEADERS: must be name=value/],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=1,,b=2' }, /OTEL_RESOURCE_ATTRIBUTES: must be name=value/],
  ...['OPS_NETWORKS', 'TRUST_PROXY', 'CORS_ORIGINS', 'JWT_SECRET', 'MODULES'].map((name): [NodeJS.ProcessEnv, RegExp] =>
    [{ [name]: ' ,' }, new RegExp(`${name}: .*empty entry; remove the comma`)]),
  [{ OPS_NETWORKS: '10.0.0.0/8,,192.0.2.1' }, /OPS_NETWORKS: has an empty entry/],
  [{ CORS_ORIGINS: 'https://a.example, https://a.example' }, /CORS_ORIGINS: has an entry twice/],
  ...['"x"', "'x'", '`x`', '\u201cx\u201d', '""', '"a","b"'].map((value): [NodeJS.ProcessEnv, RegExp] =>
    [{ MAIL_FROM: value }, /MAIL_FROM: has quotes around its value, .*; remove them/]),
  ...['n', ' ', '', '\\\\n'].map((end): [NodeJS.ProcessEnv, RegExp] => [
    { JWT_PRIVATE_KEY: ['-----BEGIN PRIVATE KEY-----', 'geheim', '-----END PRIVATE KEY-----'].join(end) },
    /JWT_PRIVATE_KEY: has lost its newlines: write each as \\n, or put the text into a file/
  ]),
  [{ LIMITS_FILE: 'no/such/file.json' }, /LIMITS_FILE: does not exist. Create it/],
  [
    { NODE_ENV: 'production' },
    /DATABASE_URL: must be set in production.*\n.*REDIS_URL: must be set.*\n.*JWT_SECRET: must be set/
  ]
]

/** What is said of an environment that is refused. */
function refusalOf (environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment)
    return 'it was read'
  } catch (error) {
    return (error as Error).message
  }
}

// L32 S71 S95
t.test('each fault is refused, and the message says what is valid, and repeats no secret', async (t) => {
  for (const [environment, message] of faulty) {
    const refusal = refusalOf(environment)
    t.match(refusal, message, JSON.stringify(environment))
    t.notMatch(refusal, /geheim/, JSON.stringify(environment))
  }
})

t.test('.env and the environment are checked together, and the environment wins', async (t) => {
  t.chdir(newDirectory(t, { '.env': 'PORT=4000\nHOST=0.0.0.0\nPUBLIC_URL=\nLIMITS_FILE=\nUV_THREADPOOL_SIZE=64\n' }))
  t.intercept(process, 'env', { value: { PORT: '5000', HOST: '' } })
  t.match(loadConfig(), { port: 5000, host: '0.0.0.0', publicOrigin: undefined })
  t.ok(loadConfig().bcryptConcurrency <= 3, 'libuv does not read .env, so neither does its number of threads')
  writeFileSync('.env', 'PORT=x\nJWT_SECRET=short\nCORS_ORIGINS=here\n')
  t.intercept(process, 'env', { value: {} })
  t.throws(() => loadConfig(), { message: /3 faults.*PORT.*JWT_SECRET.*CORS_ORIGINS/s })
})

// B1
t.test('.env is read whatever the editor: with a byte order mark, and with any line ends', async (t) => {
  t.chdir(newDirectory(t))
  t.intercept(process, 'env', { value: {} })
  const lines = [
    'USER_CREATION=admin', '  # a comment', '', 'export LOG_LEVEL = debug # why', '\tPORT="4000" # why', 'MODULES=',
    `JWT_SECRET='${secret},`, `x${secret}'`
  ]
  for (const end of ['\n', '\r\n', '\r']) {
    writeFileSync('.env', `\ufeff${lines.join(end)}`)
    const read = { userCreation: 'admin', logLevel: 'debug', port: 4000, jwtSecrets: [secret, `x${secret}`] }
    t.match(loadConfig(), read)
  }
})

t.test('a line of .env that is no setting, and another encoding, is a fault among the others', async (t) => {
  t.chdir(newDirectory(t))
  t.intercept(process, 'env', { value: { BCRYPT_COST: 'x' } })
  for (const line of [
    'geheim', 'PORT 4000', 'PORT: 4000', '=geheim', 'A B=geheim', '+PORT=4000', 'X="geheim', 'X="geheim" y', "X='it's'"
  ]) {
    writeFileSync('.env', `PORT=x\n\n${line}\nHOST=1.2\n`)
    const message = /has 4 faults:\n {2}\.env: line 3 must be NAME=value.*\n {2}PORT: .*\n.*BCRYPT_COST: .*\n {2}HOST: /
    t.throws(() => loadConfig(), { message }, line)
    t.throws(() => loadConfig(), { message: /^(?!.*geheim)/s })
  }
  writeFileSync('.env', 'PORT=1\nHOST=::\nPORT=2\n')
  t.throws(() => loadConfig(), { message: /\.env: line 3 sets PORT a second time; remove one of both/ })
  writeFileSync('.env', 'HOST=:: # all\nAPP_NAME="School #5"\nLOGIN_URL=https://erp.example/#/login\n')
  t.throws(() => loadConfig(), { message: /2 faults:\n {2}\.env: line 3 has a # within its value/ })
  const text = 'PORT=4000\n# f\u00fcr alle\n'
  const marked = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const [line, bytes] of [
    [1, marked], [1, marked.subarray(2)], [1, Buffer.from(marked).swap16()], [2, Buffer.from(text, 'latin1')]
  ] as const) {
    writeFileSync('.env', bytes)
    const message = new RegExp(`2 faults:\n {2}\\.env: line ${line} is not UTF-8; .*\n {2}BCRYPT_COST: `)
    t.throws(() => loadConfig(), { message })
  }
})

// B3
t.test('a value is trimmed, and a secret may be in a file that NAME_FILE names', async (t) => {
  const [DATABASE_URL, key] = ['postgresql://u:p@db/x', generateKeyPairSync('ed25519').privateKey]
  const directory = newDirectory(t, {
    database: `\ufeff${DATABASE_URL}\r\n`,
    redis: 'rediss://redis\n\n',
    secret: ` ${secret},\n x${secret}\n`,
    key: String(key.export({ format: 'pem', type: 'pkcs8' })),
    smtp: 'smtp://gate@localhost\n',
    issuer: 'https://id:geheim@issuer.example/token?scope=https://mail.example/.default\n',
    token: `${secret}\t`
  })
  const files = Object.entries({
    DATABASE_URL: 'database',
    REDIS_URL: 'redis',
    JWT_SECRET: 'secret',
    JWT_PRIVATE_KEY: 'key',
    SMTP_URL: 'smtp',
    SMTP_TOKEN_URL: 'issuer',
    OPS_TOKEN: 'token'
  }).map(([name, file]) => [`${name}_FILE`, `${join(directory, file)} `])

  const config = readConfig({ ...Object.fromEntries(files), PUBLIC_URL: ' https://x.example\n', PORT: '80\r' })

  t.match(config, {
    port: 80,
    publicOrigin: 'https://x.example',
    databaseUrl: { server: { host: 'db' } },
    redisUrl: { server: { tls: { rejectUnauthorized: true } } },
    jwtSecrets: [secret, `x${secret}`],
    jwtPrivateKeys: { length: 1 },
    smtpUrl: {
      host: 'localhost',
      token: { endpoint: new URL('https://issuer.example/token'), scope: 'https://mail.example/.default' }
    },
    opsToken: secret
  })
})

t.test('a file of a setting may begin as editors of Windows write it, and is UTF-8', (t) => {
  const limits = '{"policies":{"login":{"capacity":9,"refill":1,"period":"1m"}}}'
  const directory = newDirectory(t, { 'marked.json': `\ufeff${limits}` })
  writeFileSync(join(directory, 'wide.json'), Buffer.from(`\ufeff${limits}`, 'utf16le'))

  t.equal(readConfig({ LIMITS_FILE: join(directory, 'marked.json') }).limits.policies.login!.capacity, 9)
  t.throws(() => readConfig({ LIMITS_FILE: join(directory, 'wide.json') }), /LIMITS_FILE: line 1 is not UTF-8/)
  t.end()
})

t.test('a secret that is set twice, or whose file cannot be used, is a fault that says what to do', async (t) => {
  const directory = newDirectory(t, { empty: ' \n', quoted: '"geheim"\n' })
  writeFileSync(join(directory, 'latin1'), Buffer.from('geh\u00e4im', 'latin1'))
  const faults: Array<[file: string, message: RegExp]> = [
    ['missing', /OPS_TOKEN_FILE: .*missing does not exist. Create it, or correct the path/],
    ['.', /OPS_TOKEN_FILE: .* is a folder. .*create the file/],
    ['empty', /OPS_TOKEN_FILE: .* is empty. Write the secret into it/],
    ['latin1', /OPS_TOKEN_FILE: .* is not UTF-8/],
    ['quoted', /OPS_TOKEN: has quotes around its value/]
  ]
  for (const [file, message] of faults) {
    const refusal = refusalOf({ OPS_TOKEN_FILE: join(directory, file) })
    t.match(refusal, message)
    t.notMatch(refusal, /geh/)
  }
  t.throws(() => readConfig({ REDIS_URL: 'redis://h', REDIS_URL_FILE: '/x' }), {
    message: /REDIS_URL: is set, and REDIS_URL_FILE, too; remove one of them/
  })
})

t.test('a name that nobody knows is named with the nearest one, and stops nothing', async (t) => {
  const names = ['USER_CREATON', 'FOO', 'NODE_EXTRA_CA_CERTS', 'STATS_PORT', 'JWT_SECRET_FILE', 'OTEL_BSP_X']
  t.chdir(newDirectory(t, { '.env': `${names.join('=\n')}=\n`, secret }))
  const strangers = {
    HOME: '/', API_PORT: '1', BASE_URL: 'x', REDIS_PORT: '2', PGHOST: 'x', LOGNAME: 'x', HOSTNAME: 'x', OPS: '1'
  }
  const meant = {
    DATABSE_URL: 'DATABASE_URL',
    REDIS_URI: 'REDIS_URL',
    TRUSTED_PROXIES: 'TRUST_PROXY',
    LOGLEVEL: 'LOG_LEVEL',
    cors_origin: 'CORS_ORIGINS',
    GATEHOUSE_OPS_TOKEN: 'OPS_TOKEN',
    JWT_SECRETS_FILE: 'JWT_SECRET_FILE',
    OTEL_EXPORTER_OTLP_ENDPONT: 'OTEL_EXPORTER_OTLP_ENDPOINT'
  }
  const set = Object.fromEntries(Object.keys(meant).map(name => [name, 'x']))
  t.intercept(process, 'env', { value: { ...strangers, ...set, BCRYPT_COST_FILE: 'x' } })

  t.same(loadConfig().warnings, [
    'USER_CREATON: is no setting, and has no effect; did you mean USER_CREATION?',
    'FOO: in .env is no setting of gatehouse; the nearest is HOST',
    'NODE_EXTRA_CA_CERTS: has no effect in .env; set it in the environment of the process',
    ...Object.entries(meant).map(([name, one]) => `${name}: is no setting, and has no effect; did you mean ${one}?`),
    'BCRYPT_COST_FILE: is no setting: of a file come only DATABASE_URL, REDIS_URL, JWT_SECRET, JWT_PRIVATE_KEY, ' +
      'SECOND_FACTOR_KEY, SMTP_URL, SMTP_TOKEN_URL, OPS_TOKEN. Set BCRYPT_COST itself'
  ])
})

t.test('hashes never use the last thread of the pool', async (t) => {
  t.equal(readConfig({ UV_THREADPOOL_SIZE: '1' }).bcryptConcurrency, 1)
  t.ok(readConfig({}).bcryptConcurrency <= 3)
})

t.test('the configuration cannot be changed afterwards', async (t) => {
  t.throws(() => Object.assign(readConfig({}), { port: 1 }), TypeError)
})

t.test('localhost is one address, so that one listener has every handler for broken connections', async (t) => {
  t.match(readConfig({ HOST: 'localhost', OPS_HOST: 'localhost' }), { host: '127.0.0.1', opsHost: '127.0.0.1' })
})

import neostandard from 'neostandard'

export default [
  ...neostandard({
    ts: true,
    ignores: [
      'dist/**', 'dist-test/**', 'src/generated/**', 'prisma/client.js', 'data/**', '.tap/**',
      'examples/client/gatehouse.d.ts'
    ]
  }),

  {
    rules: { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true }] }
  },
  {
    files: ['src/console/page/**'],
    languageOptions: {
      globals: { location: 'readonly', history: 'readonly', EventSource: 'readonly', Node: 'readonly' }
    }
  },
  {
    files: ['test/**'],
    rules: {
      'no-restricted-properties': ['error', {
        object: 't', property: 'testdir', message: 'It is removed too early: newDirectory() of fixtures/lifetime.ts.'
      }]
    }
  },
  {
    files: ['src/**'],
    ignores: ['src/config/**'],
    rules: {
      'no-restricted-properties': ['error', {
        object: 'process', property: 'env', message: 'config/ alone reads the environment.'
      }]
    }
  }
]

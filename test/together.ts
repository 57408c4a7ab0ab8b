// Runs test files one after the other in one process, because loading the app takes a second of CPU time. For each
// file, tap's `t` is a test of its own, which ends what the file has started before the next one begins.

import t from 'tap'

const { test, end } = t

for (const name of process.argv.slice(2)) {
  await test.call(t, `test/${name}.test.ts`, { buffered: false }, async (file) => {
    const lent = Object.fromEntries((['test', 'after', 'beforeEach', 'comment', 'setTimeout'] as const)
      .map(method => [method, { value: file[method].bind(file), configurable: true }]))
    Object.defineProperties(t, {
      ...lent,
      jobs: { get: () => file.jobs, set: (jobs) => { file.jobs = jobs }, configurable: true },
      // It ends with its last test.
      end: { value: () => {}, configurable: true }
    })
    await import(`./${name}.test.js`)
  })
}
end.call(t)

// Runs test files one after the other in one process, because loading the app takes a second of CPU time. While a file
// runs, tap's `t` stands for a test of its own. It ends with all that the file has started.

import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'

for (const name of process.argv.slice(2)) {
  t.test(`test/${name}.test.ts`, { buffered: false }, async (file) => {
    // All files are queued by then.
    await setImmediate()
    useAsRoot(file)
    await import(`./${name}.test.js`)
  })
}
t.end()

function useAsRoot (file: Test): void {
  const methods = (['test', 'after', 'beforeEach', 'comment', 'setTimeout'] as const)
    .map(name => [name, { value: file[name].bind(file), configurable: true }])
  Object.defineProperties(t, {
    ...Object.fromEntries(methods),
    jobs: { get: () => file.jobs, set: (jobs: number) => { file.jobs = jobs }, configurable: true },
    // A file ends with its last test.
    end: { value: () => {}, configurable: true }
  })
}

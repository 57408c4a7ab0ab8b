// The unit of systemd shuts the service off from the rest of the machine.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { root } from './fixtures/markdown.js'

const analyze = (...args: string[]) =>
  spawnSync('systemd-analyze', [...args, join(root, 'deploy/systemd/gatehouse.service')], { encoding: 'utf8' })

// B15
t.test('the exposure of the unit is below 3, as systemd counts it', {
  skip: !analyze('--version').stdout?.includes('systemd') && 'it needs systemd-analyze'
}, async (t) => {
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=29')

  t.equal(status, 0, stdout)
})

t.end()

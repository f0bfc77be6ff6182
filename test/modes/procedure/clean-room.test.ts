import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canMountHere } from '../../support/can-mount.ts'
import { newWorkspace } from '../../surfaces/cli/pawl.ts'

test.runIf(canMountHere).each([
  ['work-tree', 'replaces the check in an ignored folder', 'tools/check.sh', 0],
  ['clean-room', 'replaces the check in an ignored folder', 'tools/check.sh', 30],
  ['clean-room', 'does what the check asks for', 'done', 0],
])('gates in the %s: an agent that %s', async (verify, _does, path, code) => {
  const { run, workspace, dirOf } = newWorkspace({
    config: { gates: ['sh tools/check.sh'] },
    procedure: { verify, until: 'gates' },
    agent: [{ write: { [path]: 'exit 0\n' } }],
  })
  fs.mkdirSync(join(workspace, 'tools'))
  fs.writeFileSync(join(workspace, 'tools', 'check.sh'), 'test -e done\n')
  fs.writeFileSync(join(workspace, '.gitignore'), 'tools/\n.pawl\n')
  const begin = 'git init -q && git config user.name A && git config user.email a@b.c && git add . && git commit -qm 0'
  execFileSync('sh', ['-c', begin], { cwd: workspace })
  expect((await run('run', 'build', '-n', '1', '--trust')).code).toBe(code)
  expect((await run('show')).out.includes('They ran in a clean room')).toBe(verify === 'clean-room')
  // A run that did not complete can be resumed, in the room that it had.
  expect(fs.existsSync(join(dirOf(), 'room'))).toBe(code !== 0)
})

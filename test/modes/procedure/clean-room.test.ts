import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canMountHere } from '../../support/can-mount.ts'
import { newWorkspace } from '../../surfaces/cli/pawl.ts'

test.runIf(canMountHere).each([
  ['work-tree', 0],
  ['clean-room', 30],
])('gates in the %s: a check that the agent replaced in an ignored folder ends with %i', async (verify, code) => {
  const { run, workspace, dirOf } = newWorkspace({
    config: { gates: ['sh tools/check.sh'] },
    procedure: { verify, until: 'gates' },
    agent: [{ write: { 'tools/check.sh': 'exit 0\n' } }],
  })
  fs.mkdirSync(join(workspace, 'tools'))
  fs.writeFileSync(join(workspace, 'tools', 'check.sh'), 'exit 1\n')
  fs.writeFileSync(join(workspace, '.gitignore'), 'tools/\n.pawl\n')
  const begin = 'git init -q && git config user.name A && git config user.email a@b.c && git add . && git commit -qm 0'
  execFileSync('sh', ['-c', begin], { cwd: workspace })
  expect((await run('run', 'build', '-n', '1', '--trust')).code).toBe(code)
  expect(fs.existsSync(join(dirOf(), 'room'))).toBe(false)
})

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../support/folder.ts'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'

const prd = '## Acceptance Criteria\n\n- **AC-01:** S1.txt is there.\n- **AC-02:** S2.txt is there.\n'

test.each([
  ['in the work tree', 62, ['--no-clean-room']],
  ['in a clean room', 70, []],
])('a delivery of two stories %s starts at most %i git processes', async (_where, most, flags) => {
  const [folder, temp] = [newFolder(), newFolder()]
  const [git] = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).split('\n')
  const log = join(folder, 'log')
  fs.writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$*" >>'${log}'\nexec '${git}' "$@"\n`, { mode: 0o755 })
  const { run, workspace } = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml' },
    agent: ['S1', 'S2'].map((task) => ({ when: { task }, write: { [`${task}.txt`]: 'done\n' } })),
    // A git in the temporary folder would not be used.
    env: { PATH: `${folder}:${process.env.PATH}`, TMPDIR: temp },
  })
  fs.writeFileSync(join(workspace, 'prd.md'), prd)
  const begin = 'git init -q && git config user.name A && git config user.email a@b.c && git add . && git commit -qm 0'
  execFileSync('sh', ['-c', begin], { cwd: workspace })
  const words = ['deliver', 'prd.md', '--verify', 'test -f {story_id}.txt', '--trust', ...flags]
  expect(await run(...words)).toMatchObject({ code: 0 })
  const calls = fs.readFileSync(log, 'utf8').split('\n').filter(Boolean)
  expect(calls.length).toBeLessThanOrEqual(most)
  // The log is complete: each story was committed by one of these.
  expect(calls.filter((words) => / update-ref .* refs\/heads\//.test(words))).toHaveLength(2)
})

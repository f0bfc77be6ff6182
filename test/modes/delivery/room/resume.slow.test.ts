import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canMountHere } from '../../../support/can-mount.ts'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { caseEnvironment, layOut } from './lay-out.ts'

/** The command starts a runner that git ignores. The agent replaces it and does no work. */
async function deliverInVain() {
  const here = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml', gates: ['sh tools/run.sh'] },
    agent: [{ write: { 'tools/run.sh': 'exit 0\n', 'sum.txt': '4\n' } }],
    env: caseEnvironment,
  })
  const files = {
    'prd.md': '## Acceptance Criteria\n\n- **AC-01:** The sum of 2 and 3 is in sum.txt.\n',
    'sum.txt': '0\n',
    '.gitignore': '.pawl\ntools\n',
  }
  layOut(
    { files, ignored: { 'tools/run.sh': 'grep -qx 5 sum.txt\n' }, verify: '', needs: [] },
    here.workspace,
    here.env,
  )
  const { code, out, err } = await here.run('deliver', 'prd.md', '--trust', '--attempts', '1')
  expect(code, out + err).toBe(30)
  const rooms = (): boolean => fs.existsSync(join(here.dirOf(), 'room'))
  expect(rooms()).toBe(true)
  const resume = async (): Promise<string | null> => {
    await here.run('resume', 'prd')
    const path = join(here.dirOf(), 'result.json')
    const { stories } = JSON.parse(fs.readFileSync(path, 'utf8')) as { stories: readonly { evidence: string | null }[] }
    return stories[0]!.evidence
  }
  return { ...here, resume, rooms }
}

describe.runIf(canMountHere)('a delivery that failed and goes on', () => {
  test('has the ignored files from before its first agent, not those that an agent left', async () => {
    const { resume, rooms } = await deliverInVain()
    expect([await resume(), rooms()]).toEqual([null, true])
  })

  test('has what a person has installed since then, and its room is gone when all is done', async () => {
    const { workspace, resume, rooms } = await deliverInVain()
    fs.writeFileSync(join(workspace, 'tools', 'run.sh'), 'grep -qx 4 sum.txt\n')
    expect([await resume(), rooms()]).toEqual(['proven', false])
  })
})

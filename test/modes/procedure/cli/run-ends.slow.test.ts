import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { count, newWorkspace, until } from '../../../surfaces/cli/pawl.ts'

const success = [{ output: 'all done\n<promise>SUCCESS</promise>\n', append: { 'work.txt': 'x' } }]

test('without a gate a promise ends nothing: the start warns, the run goes on to its bound, the end says why', async () => {
  const pawl = newWorkspace({ agent: success, procedure: { until: undefined } })
  const { code, out, err } = await pawl.run('run', 'build', '-n', '3', '--trust')
  expect([code, count(pawl.names(), 'decide/done')]).toEqual([30, 3])
  expect(err).toMatch(/warning: no gate is configured.*\.pawl\/config\.yml, such as: gates: \["npm test"\]/)
  expect(out + err).not.toContain('gates green')
  expect(out).toContain('No gate is configured')
  expect((await pawl.run('why')).out).toMatch(/no gate is configured[\s\S]*pawl config explain gates/)
})

test('until: gates without a gate is refused before anything starts, also on resume', async () => {
  const pawl = newWorkspace({ agent: success })
  const words = ['run', 'build', '-n', '1', '--trust'] as const
  const refused = await pawl.run(...words, '--until', 'gates')
  expect([refused.code, refused.err]).toEqual([30, expect.stringContaining('until: gates needs a gate')])
  expect(fs.existsSync(join(pawl.workspace, '.pawl', 'runs'))).toBe(false)
  expect((await pawl.run(...words)).code).toBe(0)
  expect((await pawl.run('resume', '-n', '2', '--until', 'gates')).code).toBe(30)
})

test('gates green without a promise: the end and why say what was missing and what to do', async () => {
  const agent = [{ output: 'done, I think\n' }]
  const pawl = newWorkspace({ agent, procedure: { until: 'promise+gates', gates: ['true'] } })
  const { code, out } = await pawl.run('run', 'build', '-n', '2', '--trust')
  expect(code).toBe(30)
  const why = (await pawl.run('why')).out
  for (const said of [out, why]) {
    expect(said).toMatch(/gates passed in the last iteration, but.*<promise>SUCCESS<\/promise>[\s\S]*until: gates/)
  }
  expect(JSON.parse((await pawl.run('why', '--json')).out)).toMatchObject({ reason: { missing: 'promise' } })
})

test('a run that was interrupted in its only iteration is no success under either name', async () => {
  for (const name of ['pawl', 'rooda'] as const) {
    const agent = [{ output: 'at work\n', silent_ms: 60_000 }]
    const here = newWorkspace({ name, agent })
    const first = here.start('run', 'build', '-n', '1', '--trust')
    await until(() => first.said().includes('Iteration 1/1 starting'), 'iteration 1')
    await until(() => fs.existsSync(join(here.dirOf(), 'attempts', 'iteration-1-attempt-1-agent.log')), 'its agent')
    first.child.kill('SIGTERM')
    await first
    const { code, out } = await here.run('resume', 'build')
    expect([name, code, count(here.names(), 'execute/started')]).toEqual([name, 20, 1])
    expect(out).toMatch(/0 completed, 1 interrupted[\s\S]*No iteration was completed/)
    expect(out).toContain(`${name} resume build --max-iterations N`)
  }
})

test('a dry run needs no agent: it shows the prompt and names what is missing', async () => {
  const none = newWorkspace({ procedure: { agent: undefined } })
  const shown = await none.run('run', 'build', '--dry-run')
  expect([shown.code, shown.err]).toEqual([0, ''])
  expect(shown.out).toMatch(/\[DRY RUN\] Missing: no agent is configured\. Set agent or ai_cmd in \.pawl\/config\.yml/)
  expect(shown.out).toContain('## OBSERVE\n\nlook')
  const gone = newWorkspace({ procedure: { agent: undefined, ai_cmd: 'no-such-agent --go' } })
  const { dry_run } = JSON.parse((await gone.run('run', 'build', '--dry-run', '--json')).out)
  expect(dry_run).toMatchObject({ argv: ['no-such-agent', '--go'], missing: expect.stringContaining('no-such-agent') })
  expect((await gone.run('run', 'build', '--trust')).code).toBe(30)
})

test('a file in the place of the state folder is named with its path, and blames nobody', async () => {
  const rooda = newWorkspace({ name: 'rooda' })
  fs.writeFileSync(join(rooda.workspace, '.rooda', 'state'), '')
  const { code, err } = await rooda.run('build', '-n', '1', '--trust')
  expect([code, err]).toEqual([
    30,
    expect.stringMatching(/^rooda: \.rooda\/state is not a folder.*\n.*mv \.rooda\/state/),
  ])
})

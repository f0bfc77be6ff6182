import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { newPerson } from './person.ts'
import { newDelivery } from './santiago.ts'

test('one run owns a work tree, whatever its mode: the second is told which one', async () => {
  const { deliver, start, run, workspace, titles } = newPerson({
    agent: [{ when: { task: 'S1' }, write: { begun: 'x' }, silent_ms: 600_000 }],
  })
  const delivery = deliver()
  await until(() => fs.existsSync(join(workspace, 'begun')), 'the agent of the delivery works')
  const second = await run('run', 'build', '-n', '1', '--trust')
  expect(second.code).toBe(10)
  expect(second.err).toContain('letters is working in')
  expect(second.err).toContain('git worktree add')
  delivery.child.kill('SIGTERM')
  await delivery
  expect(titles()).toEqual(['begin'])
  const procedure = start('run', 'build', '-n', '1', '--trust', '--ai-cmd', 'sh -c "touch ran; sleep 600"')
  await until(() => fs.existsSync(join(workspace, 'ran')), 'the agent of the procedure works')
  const third = await deliver()
  expect([third.code, third.err]).toEqual([10, expect.stringContaining('build is working in')])
  procedure.child.kill('SIGTERM')
  expect((await procedure).code).toBe(143)
})

test('a file in the place of the folder of the runs is named, with the fix', async () => {
  const { deliver, run, workspace } = newPerson()
  fs.writeFileSync(join(workspace, '.pawl', 'runs'), 'mine\n')
  for (const { code, err } of [await deliver('--dirty', 'include'), await run('refine', 'letters.md')]) {
    expect([code, err]).toEqual([30, expect.stringContaining('mv .pawl/runs .pawl/runs.old')])
  }
})

test('a run id belongs to one out-dir in a repository: another one would overwrite its refs', async () => {
  const { plan, execute, git, start, inputPath, root, out } = newDelivery()
  await plan()
  expect((await execute()).code).toBe(0)
  const refs = git('for-each-ref', 'refs/pawl')
  const other = join(root, 'other')
  const again = await start('execute', '--input', inputPath, '--plan', join(out, 'plan.json'), '--out-dir', other)
  expect([again.code, git('for-each-ref', 'refs/pawl')]).toEqual([30, refs])
  const { reason, error } = JSON.parse(fs.readFileSync(join(other, 'result.json'), 'utf8'))
  expect([reason, error.pointer, error.message]).toEqual([
    'plan_generation_failed',
    '/run_id',
    expect.stringContaining('run_1'),
  ])
})

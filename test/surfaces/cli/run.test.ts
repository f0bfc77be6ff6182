import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { count, newWorkspace, until } from './pawl.ts'

const slow = [{ when: { task: 'iteration-2' }, delay_ms: 60_000 }, { output: 'done\n' }]

describe('a run', () => {
  test('works through its iterations and completes', async () => {
    const pawl = newWorkspace()
    const ended = await pawl.run('run', 'build', '--max-iterations', '3', '--trust')
    expect(ended.code).toBe(0)
    expect(ended.out).toMatch(/Starting procedure: build \(max 3 iterations\)/)
    expect(ended.out).toMatch(/Iteration 3\/3 completed in \d+\.\ds/)
    expect(ended.out).toMatch(/Reached max iterations: 3 \(total: /)
    expect(count(pawl.names(), 'decide/done')).toBe(3)
    expect(JSON.parse(fs.readFileSync(join(pawl.dirOf(), 'result.json'), 'utf8'))).toMatchObject({
      status: 'completed',
      exit: 0,
    })
  })

  test('with --json streams its journal lines and ends with one result', async () => {
    const pawl = newWorkspace({ agent: [{ usage: { tokens: 5, cost_usd: 0.5 } }] })
    const ended = await pawl.run('run', 'build', '-n', '2', '--trust', '--json')
    const lines = ended.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.slice(0, -1)).toEqual(pawl.journal())
    expect(lines.at(-1)).toMatchObject({
      result: { status: 'completed', exit: 0, spend: { tokens: { used: 10 }, costUsd: { used: 1 } } },
    })
  })

  test('three failures of the agent abort with 20, a success between them starts the count anew', async () => {
    const steps = [{ exit: 1 }, { exit: 1 }, {}, { exit: 1 }, { exit: 1 }, { exit: 1 }]
    const pawl = newWorkspace({ agent: steps })
    const ended = await pawl.run('run', 'build', '--trust')
    expect(ended.code).toBe(20)
    expect(ended.out).toMatch(/WARNING: AI CLI failed \(exit 1\), consecutive failures: 2\/3/)
    expect(ended.out).toMatch(/ERROR: Aborting after 3 consecutive failures \(6 iterations completed/)
  })

  test('three failures of a gate abort with 30', async () => {
    const pawl = newWorkspace({ procedure: { gates: ['true', 'echo no >&2; exit 3'] } })
    const ended = await pawl.run('run', 'build', '--trust')
    expect(ended.code).toBe(30)
    expect(ended.out).toMatch(
      /WARNING: Quality gates failed \(gate "echo no >&2; exit 3" failed \(exit 3\)\), consecutive failures: 1\/3/,
    )
    const evidence = pawl.journal().find(({ phase }) => phase === 'verify')?.context as { evidence: { path: string } }
    expect(fs.readFileSync(join(pawl.dirOf(), evidence.evidence.path), 'utf8')).toBe('no\n')
  })

  test('the maximum with a red gate is 30 under pawl and 0 under rooda', async () => {
    const procedure = { gates: ['false'] }
    expect((await newWorkspace({ procedure }).run('run', 'build', '-n', '1', '--trust')).code).toBe(30)
    const rooda = newWorkspace({ procedure, name: 'rooda' })
    expect((await rooda.run('build', '--max-iterations', '1', '--trust')).code).toBe(0)
  })

  test('the prompt reaches the agent on stdin, in the frame of the seed, read anew each time', async () => {
    const agent = [{ echo_prompt: true, append: { 'observe.md': 'more\n' } }]
    const pawl = newWorkspace({ agent, procedure: { observe: ['observe.md', 'inline'], context: ['a hint'] } })
    fs.writeFileSync(join(pawl.workspace, 'observe.md'), 'first\r\n')
    await pawl.run('run', 'build', '-n', '2', '--trust')
    const log = (n: number) =>
      fs.readFileSync(join(pawl.dirOf(), 'attempts', `iteration-${n}-attempt-1-agent.log`), 'utf8')
    expect(log(1)).toBe(
      '# OODA Loop Iteration\n\n## CONTEXT\n\na hint\n\n## OBSERVE\n\nfirst\n\ninline\n\n## ORIENT\n\nthink\n\n## DECIDE\n\nchoose\n\n## ACT\n\ndo it\n',
    )
    expect(log(2)).toContain('first\nmore')
  })

  test('until: gates ends when they are green', async () => {
    const agent = [{}, { write: { ready: 'yes' } }, {}]
    const pawl = newWorkspace({ agent, procedure: { until: 'gates', gates: ['test -f ready'] } })
    const ended = await pawl.run('run', 'build', '-n', '9', '--trust')
    expect([ended.code, count(pawl.names(), 'task/picked')]).toEqual([0, 2])
  })

  test('a limit is waited out and is no failure', async () => {
    const agent = [{ when: { attempt: 1 }, limit: { reset_in_ms: 400 }, exit: 1 }, { output: 'ok\n' }]
    const pawl = newWorkspace({ agent })
    const ended = await pawl.run('run', 'build', '-n', '1', '--trust')
    expect(ended.code).toBe(0)
    expect(pawl.names()).toEqual(
      expect.arrayContaining(['execute/unavailable', 'decide/wait', 'wait/ended', 'execute/ok']),
    )
    expect(pawl.names()).not.toContain('verify/failed')
  })

  test('secrets of the environment are masked in what is stored', async () => {
    const agent = [{ output: 'the key is sesame-open-please\n' }]
    const pawl = newWorkspace({ agent, env: { MY_API_KEY: 'sesame-open-please' } })
    await pawl.run('run', 'build', '-n', '1', '--trust')
    const logged = fs.readFileSync(join(pawl.dirOf(), 'attempts', 'iteration-1-attempt-1-agent.log'), 'utf8')
    expect(logged).toBe('the key is [secret]\n')
  })
})

describe('commands of a repository', () => {
  test('are not run before the person has trusted them, and changed ones are asked for again', async () => {
    const pawl = newWorkspace()
    const refused = await pawl.run('run', 'build', '-n', '1')
    expect([refused.code, fs.existsSync(join(pawl.workspace, '.pawl', 'runs'))]).toEqual([10, false])
    expect(refused.err).toMatch(/agent_script.*agent\.yml[\s\S]*--trust/)
    expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
    expect((await pawl.run('run', 'build', '-n', '1')).code).toBe(0)
    fs.appendFileSync(join(pawl.workspace, '.pawl', 'config.yml'), 'gates: [curl evil]\n')
    expect((await pawl.run('run', 'build', '-n', '1')).code).toBe(10)
  })
})

describe('interrupted', () => {
  test('kill -9 in an iteration: resume goes on with the next, repeats nothing and ends what was left', async () => {
    const agent = [
      { when: { task: 'iteration-2' }, fork: [{ seconds: 300, setsid: true }], output: 'here', silent_ms: 60_000 },
      { append: { 'work.txt': 'x' } },
    ]
    const pawl = newWorkspace({ agent })
    const first = pawl.start('run', 'build', '-n', '4', '--trust')
    await until(() => first.said().includes('Iteration 2/4 starting'), 'iteration 2')
    const log = join(pawl.dirOf(), 'attempts', 'iteration-2-attempt-1-agent.log')
    await until(() => fs.existsSync(log), 'its agent speaks')
    first.child.kill('SIGKILL')
    await first
    const resumed = await pawl.run('resume', 'build')
    expect(resumed.code).toBe(0)
    expect(resumed.err).toMatch(/ended [12] processes that an earlier start of this run left behind/)
    expect(fs.readFileSync(join(pawl.workspace, 'work.txt'), 'utf8')).toBe('xxx')
    const settled = pawl.journal().filter(({ phase, status }) => phase === 'decide' && status !== 'stop')
    expect(settled.map(({ story_id, status }) => `${String(story_id)} ${String(status)}`)).toEqual([
      'iteration-1 done',
      'iteration-2 interrupted',
      'iteration-3 done',
      'iteration-4 done',
    ])
    expect((await pawl.run('fsck')).code).toBe(0)
  })

  test('Ctrl-C twice kills the tree now: 130, state saved, the last line says how to go on', async () => {
    const pawl = newWorkspace({ agent: slow })
    const first = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => first.said().includes('Iteration 2/3 starting'), 'iteration 2')
    first.child.kill('SIGINT')
    await until(() => first.said().includes('Stopping after this step'), 'the first Ctrl-C')
    await delay(300) // Presses within 250 ms are one gesture.
    first.child.kill('SIGINT')
    const ended = await first
    expect(ended.code).toBe(130)
    expect(ended.err.trim().split('\n').at(-1)).toMatch(
      /^\[[\d:]+\] Interrupted. State saved. Resume with: pawl resume build$/,
    )
    expect(pawl.names().at(-1)).toBe('run/interrupted')
    expect((await pawl.run('resume')).code).toBe(0)
  })

  test('Ctrl-C once lets the running attempt finish', async () => {
    const pawl = newWorkspace({ agent: [{ delay_ms: 1500, append: { 'work.txt': 'x' } }] })
    const first = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => first.said().includes('Iteration 1/3 starting'), 'iteration 1')
    first.child.kill('SIGINT')
    expect((await first).code).toBe(130)
    expect(fs.readFileSync(join(pawl.workspace, 'work.txt'), 'utf8')).toBe('x')
    expect(pawl.names()).toContain('execute/ok')
    expect((await pawl.run('resume')).code).toBe(0)
    expect(fs.readFileSync(join(pawl.workspace, 'work.txt'), 'utf8')).toBe('xxx')
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it at once with %i, state saved', async (signal, code) => {
    const pawl = newWorkspace({ agent: slow })
    const first = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => first.said().includes('Iteration 2/3 starting'), 'iteration 2')
    first.child.kill(signal)
    expect((await first).code).toBe(code)
    expect(pawl.journal().at(-1)).toMatchObject({ phase: 'run', status: 'interrupted', context: { by: signal } })
  })

  test('an unfinished run is not passed over: 10 with both ways on, --fresh starts anew', async () => {
    const pawl = newWorkspace({ agent: slow })
    const first = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => first.said().includes('Iteration 2/3 starting'), 'iteration 2')
    const second = await pawl.run('run', 'build')
    expect(second.code).toBe(10)
    expect(second.err).toMatch(/build is already running \(pid \d+ on .* since /)
    first.child.kill('SIGTERM')
    await first
    const third = await pawl.run('run', 'build')
    expect([third.code, third.err]).toEqual([
      10,
      expect.stringMatching(/unfinished[\s\S]*pawl resume build, or pawl run build --fresh/),
    ])
    expect((await pawl.run('run', 'build', '-n', '1', '--fresh')).code).toBe(0)
    expect(pawl.runs()).toHaveLength(2)
  })
})

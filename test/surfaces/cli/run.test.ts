import { execFileSync } from 'node:child_process'
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

describe('notes from elsewhere', () => {
  test('stop ends a running iteration: cancelled, 130', async () => {
    const pawl = newWorkspace({ agent: slow })
    const first = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => first.said().includes('Iteration 2/3 starting'), 'iteration 2')
    expect((await pawl.run('stop', 'build')).out).toMatch(/Stopping build/)
    expect((await first).code).toBe(130)
    expect(pawl.names().slice(-2)).toEqual(['decide/stop', 'run/cancelled'])
  })

  test('pause, answer and go on; a wrong answer is refused at once', async () => {
    const pawl = newWorkspace({ agent: [{ delay_ms: 600 }] })
    const first = pawl.start('run', 'build', '-n', '2', '--trust')
    await until(() => first.said().includes('Iteration 1/2 starting'), 'iteration 1')
    expect((await pawl.run('pause')).code).toBe(0)
    expect((await first).code).toBe(10)
    expect((await pawl.run('why', '--json')).out).toContain('"standing":"waiting"')
    expect((await pawl.run('answer')).code).toBe(0)
    expect((await pawl.run('resume')).code).toBe(0)
    expect((await pawl.run('answer')).code).toBe(2)
  })

  test('a wait is skipped in the process that waits', async () => {
    const agent = [{ when: { attempt: 1 }, limit: { reset_in_ms: 600_000 }, exit: 1 }, { output: 'ok\n' }]
    const pawl = newWorkspace({ agent })
    const first = pawl.start('run', 'build', '-n', '1', '--trust')
    await until(() => first.said().includes('Waiting until'), 'the wait')
    expect((await pawl.run('resume', '--now')).out).toMatch(/skipping the wait/)
    expect((await first).code).toBe(0)
    expect(pawl.names()).toContain('wait/skipped')
  })

  test('a result that a crash kept from being written is written by the next open', async () => {
    const pawl = newWorkspace()
    await pawl.run('run', 'build', '-n', '1', '--trust')
    fs.rmSync(join(pawl.dirOf(), 'result.json'))
    expect((await pawl.run('resume')).code).toBe(0)
    expect(fs.existsSync(join(pawl.dirOf(), 'result.json'))).toBe(true)
  })

  test('a bound given to resume is a recorded raise; a completed run goes on only with one', async () => {
    const pawl = newWorkspace()
    await pawl.run('run', 'build', '-n', '1', '--trust')
    const before = pawl.names()
    const again = await pawl.run('resume')
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('is already completed')])
    expect(pawl.names()).toEqual(before)
    expect((await pawl.run('resume', '-n', '3')).code).toBe(0)
    expect(count(pawl.names(), 'decide/done')).toBe(3)
    expect(pawl.journal().find(({ status }) => status === 'reopened')).toMatchObject({
      context: { caps: { tasks: 3 } },
    })
  })

  test('each resume of a run that has used up a bound gives it once more, never twice as much', async () => {
    const pawl = newWorkspace({ procedure: { gates: ['false'], failure_threshold: 100 } })
    await pawl.run('run', 'build', '-n', '2', '--trust')
    for (const bound of [4, 6, 8]) {
      const ended = await pawl.run('resume')
      expect([ended.code, ended.out]).toEqual([
        30,
        expect.stringContaining(`Reached max iterations: ${bound}, not done yet `),
      ])
    }
    expect((await pawl.run('why')).out).toMatch(/bound 8\), set by resume by /)
  })

  test('an aborted run is reopened by resume with its failure count at 0', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }, { exit: 1 }, { exit: 1 }, {}] })
    expect((await pawl.run('run', 'build', '-n', '5', '--trust')).code).toBe(20)
    const ended = await pawl.run('resume')
    expect([ended.code, count(pawl.names(), 'task/picked')]).toEqual([0, 5])
  })
})

describe('tampering and damage', () => {
  test('a changed request is refused with 30', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    const path = join(pawl.dirOf(), 'request.json')
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('agent.yml', 'other.yml'))
    const ended = await pawl.run('resume')
    expect([ended.code, ended.err]).toEqual([30, expect.stringContaining('was changed after the run started')])
  })

  test('a damaged journal is refused with its offset and left as it is; fsck tells', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    const path = join(pawl.dirOf(), 'progress.ndjson')
    const bytes = fs.readFileSync(path)
    bytes.fill(0, 900, 950)
    fs.writeFileSync(path, bytes)
    // With its snapshot the run could go on: what stands before that is not read again.
    fs.rmSync(join(pawl.dirOf(), 'snapshot.json'))
    const ended = await pawl.run('resume')
    expect([ended.code, ended.err]).toEqual([30, expect.stringMatching(/is damaged at byte \d+/)])
    expect(fs.readFileSync(path).equals(bytes)).toBe(true)
    expect((await pawl.run('fsck')).code).toBe(30)
  })

  test('a torn last line is cut, kept and told', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    fs.appendFileSync(join(pawl.dirOf(), 'progress.ndjson'), '{"seq":99,"half')
    const ended = await pawl.run('resume')
    expect(ended.err).toMatch(/cut off a torn last line \(15 bytes/)
    expect(fs.readFileSync(join(pawl.dirOf(), 'progress.ndjson.torn'), 'utf8')).toBe('{"seq":99,"half')
  })

  test('a run that somebody else put there is not gone on with before it is trusted', async () => {
    const victim = newWorkspace()
    const attacker = newWorkspace({ agent: [{ exit: 1 }] })
    await attacker.run('run', 'build', '--trust')
    const [id] = attacker.runs() as [string]
    const target = join(victim.workspace, '.pawl', 'runs', id)
    fs.cpSync(attacker.dirOf(), target, { recursive: true })
    for (const name of ['progress.ndjson', 'snapshot.json', 'result.json']) fs.rmSync(join(target, name))
    const request = JSON.parse(fs.readFileSync(join(target, 'request.json'), 'utf8'))
    request.workspace = victim.workspace
    request.with.agent.argv = ['/bin/sh', '-c', 'touch owned']
    fs.writeFileSync(join(target, 'request.json'), JSON.stringify(request))
    const refused = await victim.run('resume', 'build')
    expect([refused.code, refused.err]).toEqual([
      10,
      expect.stringMatching(/you did not start this run[\s\S]*touch owned/),
    ])
    expect(fs.existsSync(join(victim.workspace, 'owned'))).toBe(false)
    request.name = '../../../escape'
    fs.writeFileSync(join(target, 'request.json'), JSON.stringify(request))
    expect(JSON.parse((await victim.run('ls', '--json')).out).runs).toEqual([])
  })

  test('an agent that plants pipes, folders and links in the run folder neither hangs nor leads the engine', async () => {
    const plant = `cat >/dev/null; cd .pawl/runs/$PAWL_RUN_ID; mkfifo attempts/iteration-1-attempt-1-gate-1.log inbox/1.json
      mkdir inbox/2.json; echo '{' >inbox/3.json; touch inbox/9007199254740993.json; rm -f snapshot.json; mkfifo snapshot.json`
    const pawl = newWorkspace({
      procedure: { agent: undefined, ai_cmd: `sh -c '${plant.replaceAll("'", `'"'"'`)}'`, gates: ['echo hello'] },
    })
    const ended = await pawl.run('run', 'build', '-n', '1', '--trust')
    expect([ended.code, ended.err]).toEqual([0, expect.any(String)])
    expect((await pawl.run('why')).code).toBe(0)
    expect((await pawl.run('resume', '-n', '2')).code).toBe(0)
  })

  test('pipes in the place of every file of a run hang nobody', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    const dir = pawl.dirOf()
    for (const name of ['result.json', 'progress.ndjson', 'request.json']) {
      fs.rmSync(join(dir, name))
      execFileSync('mkfifo', [join(dir, name)])
      for (const command of ['ls', 'why', 'show', 'logs', 'fsck', 'resume']) {
        expect([name, command, (await pawl.run(command)).code]).not.toContain(null)
      }
    }
  })

  test('a journal that was shortened under the writer is noticed', async () => {
    const cut = 'sh -c "cat >/dev/null; for f in .pawl/runs/*/progress.ndjson; do truncate -s 300 $f; done"'
    const pawl = newWorkspace({ procedure: { agent: undefined, ai_cmd: cut, durability: 'strict' } })
    const ended = await pawl.run('run', 'build', '-n', '2', '--trust')
    expect([ended.code, ended.err]).toEqual([20, expect.stringContaining('another process has truncated it')])
  })
})

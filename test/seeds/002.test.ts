import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { needs, newMounts } from '../faults/faulty.ts'
import { count, newWorkspace, until } from '../surfaces/cli/pawl.ts'
import { inTerminal } from '../surfaces/cli/terminal.ts'

const bin = fileURLToPath(new URL('../../bin', import.meta.url))
type Options = Parameters<typeof newWorkspace>[0]

/** A workspace of seed 002: `.rooda/` and its own program. */
function newRooda(options: Options = {}) {
  const rooda = newWorkspace({ ...options, name: 'rooda' })
  const file = join(rooda.workspace, '.rooda', 'state', 'build.json')
  const state = () => JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>
  const prompts = () => lines(rooda.workspace, 'prompts.txt')
  const terminal = (...words: string[]) =>
    inTerminal([join(bin, 'rooda'), ...words].join(' '), { cwd: rooda.workspace, env: rooda.env })
  return { ...rooda, file, state, prompts, terminal, hasState: () => fs.existsSync(file) }
}

const lines = (folder: string, name: string): string[] =>
  fs.existsSync(join(folder, name)) ? fs.readFileSync(join(folder, name), 'utf8').trim().split('\n') : []

/** Clock times and durations differ from run to run; all else must be the seed's own words. */
const words = (text: string): string[] =>
  text
    .replace(/\r/g, '')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\[\d\d:\d\d:\d\d\]/, '[T]').replace(/\b(?:\d+h)?(?:\d+m)?\d+(?:\.\d)?s\b/g, 'D'))

const fails = (...iterations: number[]) => [
  ...iterations.map((n) => ({ when: { task: `iteration-${n}` }, exit: 1 })),
  { output: 'done\n' },
]
/** An agent that is at work in this iteration until somebody ends it. */
const hangsIn = (n: number) => [
  { when: { task: `iteration-${n}` }, output: 'at work\n', silent_ms: 120_000 },
  { output: 'done\n', append: { 'work.txt': 'x' } },
]
const agentSpeaks = (rooda: ReturnType<typeof newRooda>, n: number) =>
  until(() => {
    const runs = join(rooda.workspace, '.rooda', 'runs')
    const log = join('attempts', `iteration-${n}-attempt-1-agent.log`)
    return fs.existsSync(runs) && fs.readdirSync(runs).some((id) => fs.existsSync(join(runs, id, log)))
  }, `agent ${n}`)

describe('acceptance criteria', () => {
  test('1. the loop executes until max iterations, Ctrl+C, or the failure threshold', async () => {
    const max = newRooda()
    expect((await max.run('build', '-n', '2', '--trust')).code).toBe(0)
    expect(count(max.names(), 'execute/started')).toBe(2)
    const failing = newRooda({ agent: [{ exit: 1 }] })
    expect((await failing.run('build', '--trust')).code).toBe(20)
    expect(count(failing.names(), 'execute/started')).toBe(3)
    const stopped = newRooda({ agent: hangsIn(2) })
    const terminal = stopped.terminal('build', '--trust')
    await until(() => terminal.text().includes('Iteration 2 starting'), 'iteration 2')
    await agentSpeaks(stopped, 2)
    await twice(terminal)
    expect((await terminal).code).toBe(130)
  })

  test('2. each iteration invokes the AI CLI as a separate process', async () => {
    const rooda = newRooda({ procedure: { agent: undefined, ai_cmd: "sh -c 'echo $$ >>pids.txt; cat >/dev/null'" } })
    await rooda.run('build', '-n', '3', '--trust')
    expect(new Set(lines(rooda.workspace, 'pids.txt')).size).toBe(3)
  })

  test('3. the counter is 0-indexed inside and 1-indexed where it is shown', async () => {
    const rooda = newRooda({ agent: hangsIn(1) })
    const run = rooda.start('build', '-n', '2', '--trust')
    await until(() => run.said().includes('Iteration 1/2 starting...'), 'shown as 1')
    await agentSpeaks(rooda, 1)
    expect(rooda.state()).toMatchObject({ iteration: 1, status: 'running' })
    expect(rooda.journal().filter(({ phase }) => phase === 'decide')).toEqual([])
    run.child.kill('SIGTERM')
    await run
  })

  test('4. max iterations of 0 means unlimited', async () => {
    const rooda = newRooda({ config: { default_iterations: 2 }, agent: fails(7, 8, 9) })
    const { code, out } = await rooda.run('build', '--max-iterations', '0', '--trust')
    expect(out).toContain('(unlimited iterations)')
    expect([code, count(rooda.names(), 'execute/started')]).toEqual([20, 9])
  })

  test('5. max iterations defaults to the procedure, then the configuration, then 0', async () => {
    const started = async (options: Options) => {
      const rooda = newRooda(options)
      return (await rooda.run('build', '--trust')).out.split('\n')[0]
    }
    const both = { config: { default_iterations: 2 }, procedure: { default_iterations: 1 } }
    expect(await started(both)).toContain('(max 1 iteration)')
    expect(await started({ config: { default_iterations: 2 } })).toContain('(max 2 iterations)')
    expect(await started({ agent: [{ exit: 1 }] })).toContain('(unlimited iterations)')
  })

  test('6. progress shows iteration number and elapsed time', async () => {
    const { out } = await newRooda().run('build', '-n', '2', '--trust')
    expect(out).toMatch(/Iteration 1\/2 completed in \d+\.\ds/)
  })

  test('7. the exit status is captured and checked', async () => {
    const rooda = newRooda({ agent: [{ exit: 42 }] })
    const { out } = await rooda.run('build', '-n', '1', '--trust')
    expect(out).toContain('WARNING: AI CLI failed (exit 42), consecutive failures: 1/3')
    expect(rooda.journal().find(({ phase }) => phase === 'execute' && phase)).toBeDefined()
  })

  test('8. consecutive failures abort at a configurable threshold, by default 3', async () => {
    for (const [threshold, tries] of [
      [undefined, 3],
      [5, 5],
      [1, 1],
    ] as const) {
      const rooda = newRooda({ agent: [{ exit: 1 }], procedure: { failure_threshold: threshold } })
      expect((await rooda.run('build', '--trust')).code).toBe(20)
      expect(count(rooda.names(), 'execute/failed')).toBe(tries)
    }
  })

  test('9. a success resets the counter', async () => {
    const rooda = newRooda({ agent: fails(1, 2, 4, 5) })
    expect((await rooda.run('build', '-n', '6', '--trust')).code).toBe(0)
  })

  test('10, 11. state is on disk after each iteration and resume goes on from it', async () => {
    const rooda = newRooda({ agent: hangsIn(3) })
    const run = rooda.start('build', '-n', '4', '--trust')
    await agentSpeaks(rooda, 3)
    expect(rooda.state()).toMatchObject({ iteration: 3, status: 'running', max_iterations: 4 })
    run.child.kill('SIGKILL')
    await run
    const resumed = await rooda.run('resume', 'build')
    expect(resumed.code).toBe(0)
    expect(words(resumed.out)).toContain('[T] Iteration 4/4 starting...')
    expect(lines(rooda.workspace, 'work.txt')).toEqual(['xxx'])
  })

  test('12. a dry run assembles and displays the prompt and starts nothing', async () => {
    const rooda = newRooda({ procedure: { agent: undefined, ai_cmd: 'touch started' } })
    const { code, out } = await rooda.run('build', '--dry-run')
    expect([
      code,
      fs.existsSync(join(rooda.workspace, 'started')),
      fs.existsSync(join(rooda.workspace, '.rooda', 'runs')),
    ]).toEqual([0, false, false])
    expect(out).toContain('## OBSERVE\n\nlook')
  })

  test('13. a prompt over the token budget is a warning and no more', async () => {
    const rooda = newRooda({ config: { token_budget: 5 } })
    const { code, err } = await rooda.run('build', '-n', '1', '--trust')
    expect(code).toBe(0)
    expect(err).toMatch(/WARNING: Prompt exceeds token budget: ~\d+ > 5/)
  })

  test('14. structured logging has timing, phase, iteration number and outcome', async () => {
    const rooda = newRooda()
    await rooda.run('build', '-n', '1', '--trust')
    const ended = rooda.journal().find(({ phase, status }) => phase === 'execute' && status === 'ok')
    expect(ended).toMatchObject({ story_id: 'iteration-1', attempt: 1 })
    expect(ended).toHaveProperty('timestamp')
    expect(ended).toHaveProperty('ms')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('15. %s: the state is persisted and the exit is clean', async (signal) => {
    const rooda = newRooda({ agent: [{ delay_ms: 400, output: 'done\n' }] })
    const run = rooda.start('build', '-n', '50', '--trust')
    await until(() => run.said().includes('Iteration 2/50 starting'), 'iteration 2')
    run.child.kill(signal)
    expect((await run).code).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(rooda.state()).toMatchObject({ status: 'interrupted', iteration: 2 })
  })

  test('16. gates run after the AI CLI, and their failures count as failures', async () => {
    const rooda = newRooda({
      procedure: { gates: ['echo gate >>order.txt; false'] },
      agent: [{ append: { 'order.txt': 'agent\n' } }],
    })
    const { code, out } = await rooda.run('build', '--trust')
    expect(code).toBe(30)
    expect(lines(rooda.workspace, 'order.txt')).toEqual(['agent', 'gate', 'agent', 'gate', 'agent', 'gate'])
    expect(out).toContain('WARNING: Quality gates failed')
  })
})

describe('the state file', () => {
  test('has exactly the fields of the seed, in its place', async () => {
    const rooda = newRooda({ agent: hangsIn(4) })
    const run = rooda.start('build', '-n', '10', '--trust')
    await until(() => run.said().includes('Iteration 4/10 starting'), 'iteration 4')
    run.child.kill('SIGTERM')
    await run
    const state = rooda.state()
    expect(Object.keys(state)).toEqual([
      'iteration',
      'max_iterations',
      'consecutive_failures',
      'failure_threshold',
      'started_at',
      'last_iteration_at',
      'status',
      'procedure_name',
      'elapsed_per_iteration',
    ])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(state).toMatchObject({ iteration: 4, max_iterations: 10, consecutive_failures: 0, failure_threshold: 3 })
    expect(state).toMatchObject({
      started_at: time,
      last_iteration_at: time,
      status: 'interrupted',
      procedure_name: 'build',
    })
    expect(state.elapsed_per_iteration).toHaveLength(3)
    for (const elapsed of state.elapsed_per_iteration as string[]) expect(elapsed).toMatch(/^\d+\.\ds$/)
  })

  test('is there while a procedure is unfinished, and gone once it is complete', async () => {
    const rooda = newRooda({ agent: fails(1, 2, 3) })
    await rooda.run('build', '-n', '9', '--trust')
    expect(rooda.state()).toMatchObject({ status: 'aborted', consecutive_failures: 3, iteration: 3 })
    expect((await rooda.run('resume', 'build')).code).toBe(0)
    expect(rooda.hasState()).toBe(false)
  })
})

describe('edge cases', () => {
  test('MaxIterations = 1: a single iteration, completed', async () => {
    const rooda = newRooda()
    expect((await rooda.run('build', '-n', '1', '--trust')).code).toBe(0)
    expect(rooda.names().at(-1)).toBe('run/completed')
    expect(rooda.hasState()).toBe(false)
  })

  test('Ctrl+C during AI CLI execution: twice kills it, the state is interrupted, resume is available', async () => {
    const rooda = newRooda({ agent: hangsIn(2) })
    const terminal = rooda.terminal('build', '-n', '4', '--trust')
    await until(() => terminal.text().includes('Iteration 2/4 starting'), 'iteration 2')
    await agentSpeaks(rooda, 2)
    await twice(terminal)
    expect((await terminal).code).toBe(130)
    expect(rooda.state()).toMatchObject({ status: 'interrupted', iteration: 2 })
    expect(stillThere(rooda.dirOf())).toEqual([])
    expect(words((await rooda.run('resume', 'build')).out)).toContain('[T] Iteration 3/4 starting...')
  })

  test('Ctrl+C once, in the agent: it may finish, and its iteration counts', async () => {
    const rooda = newRooda({ agent: [{ output: 'at work\n', silent_ms: 1500 }] })
    const terminal = rooda.terminal('build', '-n', '4', '--trust')
    await until(() => terminal.text().includes('Iteration 1/4 starting'), 'iteration 1')
    await agentSpeaks(rooda, 1)
    terminal.type('\x03')
    expect((await terminal).code).toBe(130)
    expect(rooda.names()).toContain('execute/ok')
    expect(rooda.state()).toMatchObject({ status: 'interrupted' })
  })

  test('Ctrl+C in a gate: once lets it finish, twice kills it, and it is judged again on resume', async () => {
    const gate = 'echo >>gate.txt; test -e go || sleep 100'
    const rooda = newRooda({ procedure: { gates: [gate] } })
    const terminal = rooda.terminal('build', '-n', '2', '--trust')
    await until(() => fs.existsSync(join(rooda.workspace, 'gate.txt')), 'the gate')
    await twice(terminal)
    expect((await terminal).code).toBe(130)
    expect(stillThere(rooda.dirOf())).toEqual([])
    fs.writeFileSync(join(rooda.workspace, 'go'), '')
    expect((await rooda.run('resume', 'build')).code).toBe(0)
    expect(count(rooda.names(), 'execute/started')).toBe(2)
  })

  test('Ctrl+C while waiting for a limit: state persisted at once, clean exit', async () => {
    const limit = { when: { task: 'iteration-1', attempt: 1 }, limit: { reset_in_ms: 3_600_000 }, exit: 1 }
    const rooda = newRooda({ agent: [limit, { output: 'done\n' }] })
    const terminal = rooda.terminal('build', '-n', '2', '--trust')
    await until(() => terminal.text().includes('Waiting until'), 'the wait')
    expect(rooda.state()).toMatchObject({ status: 'paused' })
    terminal.type('\x03')
    expect((await terminal).code).toBe(130)
    expect((await rooda.run('resume', 'build', '--now')).code).toBe(0)
  })

  test('AI CLI succeeds after 2 failures: the counter is 0 again', async () => {
    const rooda = newRooda({ agent: [...fails(1, 2).slice(0, 2), ...hangsIn(4)] })
    const run = rooda.start('build', '--trust')
    await until(() => run.said().includes('Iteration 4 starting'), 'iteration 4')
    await until(() => rooda.hasState() && rooda.state().iteration === 4, 'its state')
    expect(rooda.state()).toMatchObject({ consecutive_failures: 0 })
    run.child.kill('SIGTERM')
    await run
  })

  test('two at once: the second warns and refuses; the first goes on', async () => {
    const rooda = newRooda({ agent: hangsIn(1) })
    const first = rooda.start('build', '-n', '2', '--trust')
    await until(() => first.said().includes('Iteration 1/2 starting'), 'the first')
    for (const second of [
      ['build', '--trust'],
      ['build', '--fresh', '--trust'],
      ['resume', 'build'],
    ]) {
      const { code, err } = await rooda.run(...second)
      expect([code, err]).toEqual([10, expect.stringContaining('build is already running (pid ')])
    }
    expect(first.child.exitCode).toBeNull()
    first.child.kill('SIGTERM')
    await first
  })

  test('a state file that says running with nobody behind it: warns about concurrent execution, refuses', async () => {
    const rooda = newRooda()
    const foreign = { ...stateOf('running'), iteration: 2 }
    fs.mkdirSync(join(rooda.file, '..'), { recursive: true })
    fs.writeFileSync(rooda.file, JSON.stringify(foreign))
    const { code, err } = await rooda.run('build', '-n', '1', '--trust')
    expect([code, err]).toEqual([10, expect.stringContaining('possible concurrent execution')])
    expect(rooda.state()).toEqual(foreign)
    expect((await rooda.run('build', '-n', '1', '--fresh')).code).toBe(0)
  })

  test('an interrupted state: without a terminal it names both ways on, with one it asks', async () => {
    const rooda = newRooda({ agent: hangsIn(2) })
    const run = rooda.start('build', '-n', '3', '--trust')
    await until(() => run.said().includes('Iteration 2/3 starting'), 'iteration 2')
    run.child.kill('SIGTERM')
    await run
    const refused = await rooda.run('build', '-n', '3')
    expect([refused.code, refused.err]).toEqual([
      10,
      expect.stringContaining('rooda resume build, or rooda run build --fresh'),
    ])
    const cancelled = rooda.terminal('build')
    await until(() => cancelled.text().includes('resume / fresh / cancel?'), 'the question')
    cancelled.type('c\r')
    expect((await cancelled).code).toBe(10)
    const asked = rooda.terminal('build')
    await until(() => asked.text().includes('resume / fresh / cancel?'), 'the question')
    asked.type('r\r')
    const { code, text } = await asked
    expect(code).toBe(0)
    expect(text).toContain('Resuming procedure: build from iteration 2 (max 3)')
  })

  test('resume after iteration 5 of 10 continues with 6', async () => {
    const rooda = newRooda({ agent: [{ output: 'at work\n', silent_ms: 300 }] })
    const run = rooda.start('build', '-n', '10', '--trust')
    await agentSpeaks(rooda, 5)
    run.child.kill('SIGINT')
    await run
    expect(rooda.state()).toMatchObject({ status: 'interrupted', iteration: 5 })
    const resumed = rooda.start('resume', 'build')
    await until(() => resumed.said().includes('starting'), 'the next one')
    resumed.child.kill('SIGTERM')
    const shown = words((await resumed).out)
    expect(shown[0]).toBe('[T] Resuming procedure: build from iteration 5 (max 10)')
    expect(shown.find((line) => line.includes('starting'))).toBe('[T] Iteration 6/10 starting...')
  })

  test('no gates: only the exit status matters', async () => {
    const rooda = newRooda()
    await rooda.run('build', '-n', '1', '--trust')
    expect(rooda.journal().find(({ phase }) => phase === 'verify')).toMatchObject({
      status: 'passed',
      context: { data: { gates: 0 } },
    })
  })

  test.each(['', '{', '[]', '{"iteration": "x"}', '\0\0'])(
    'a state file of %j: a warning, and a fresh start',
    async (text) => {
      const rooda = newRooda()
      fs.mkdirSync(join(rooda.file, '..'), { recursive: true })
      fs.writeFileSync(rooda.file, text)
      const { code, err } = await rooda.run('build', '-n', '1', '--trust')
      expect([code, err]).toEqual([0, expect.stringContaining('WARNING: state file is unreadable, starting fresh')])
      const kept = fs.readdirSync(join(rooda.file, '..')).find((name) => name.startsWith('build.json.'))
      expect(fs.readFileSync(join(rooda.file, '..', kept!), 'utf8')).toBe(text)
    },
  )

  test('a journal that is damaged: run starts fresh with a warning, resume refuses, nothing is overwritten', async () => {
    const rooda = newRooda({ agent: hangsIn(2) })
    const run = rooda.start('build', '-n', '3', '--trust')
    await until(() => run.said().includes('Iteration 2/3 starting'), 'iteration 2')
    run.child.kill('SIGTERM')
    await run
    const journal = join(rooda.dirOf(), 'progress.ndjson')
    const damaged = fs.readFileSync(journal, 'utf8').replace('"phase":"task"', '"phase:"task"')
    fs.writeFileSync(journal, damaged)
    for (const file of fs.readdirSync(rooda.dirOf()))
      if (file.startsWith('snapshot')) fs.rmSync(join(rooda.dirOf(), file))
    expect((await rooda.run('resume', 'build')).code).toBe(30)
    const fresh = await rooda.run('build', '-n', '1')
    expect([fresh.code, fresh.err]).toEqual([0, expect.stringContaining('cannot be read and is left as it is')])
    expect(fs.readFileSync(journal, 'utf8')).toBe(damaged)
  })

  test('disk full from the beginning: an error is logged, the loop goes on', async (context) => {
    needs(context, 'namespaces')
    const rooda = newRooda({ agent: [{ append: { 'work.txt': 'x' } }] })
    const target = join(rooda.workspace, '.rooda')
    const mounts = await newMounts(
      `cp -r '${target}' /mnt/ 2>/dev/null || true; mkdir -p '${rooda.root}/keep'; cp '${target}/config.yml' '${rooda.root}/keep/'\n` +
        `mount -t tmpfs -o size=64k none '${target}'\ncp '${rooda.root}/keep/config.yml' '${target}/'\n` +
        `dd if=/dev/zero of='${target}/filler' bs=4k 2>/dev/null || true`,
    )
    const [first, ...rest] = [...mounts.enter(rooda.workspace), join(bin, 'rooda'), 'build', '-n', '2', '--trust']
    const { status, stderr } = spawnSync(first, rest, { env: rooda.env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, expect.stringContaining('The loop goes on')])
    expect(lines(rooda.workspace, 'work.txt')).toEqual(['xx'])
  })

  test('reboot: an owner of an earlier boot is gone, whatever its pid does now', async (context) => {
    needs(context, 'namespaces')
    const rooda = newRooda({ agent: hangsIn(2) })
    fs.writeFileSync(join(rooda.root, 'boot'), '11111111-2222-3333-4444-555555555555\n')
    const mounts = await newMounts(`mount --bind '${rooda.root}/boot' /proc/sys/kernel/random/boot_id`)
    const [first, ...rest] = [...mounts.enter(rooda.workspace), join(bin, 'rooda'), 'build', '-n', '3', '--trust']
    const before = inTerminal([first, ...rest].join(' '), { cwd: rooda.workspace, env: rooda.env })
    await until(() => before.text().includes('Iteration 2/3 starting'), 'iteration 2')
    await agentSpeaks(rooda, 2)
    const resumed = await rooda.run('resume', 'build')
    expect(resumed.code).toBe(0)
    expect(words(resumed.out)[0]).toBe('[T] Resuming procedure: build from iteration 2 (max 3)')
    // Whoever was taken over for dead notices, and leaves.
    expect((await before).code).toBe(20)
  })
})

describe('examples', () => {
  test('1. limited iterations', async () => {
    const rooda = newRooda()
    const { code, out } = await rooda.run('build', '--max-iterations', '3', '--trust')
    expect(code).toBe(0)
    expect(words(out)).toEqual([
      '[T] Starting procedure: build (max 3 iterations)',
      '[T] Iteration 1/3 starting...',
      '[T] Iteration 1/3 completed in D',
      '[T] Iteration 2/3 starting...',
      '[T] Iteration 2/3 completed in D',
      '[T] Iteration 3/3 starting...',
      '[T] Iteration 3/3 completed in D',
      '[T] Reached max iterations: 3 (total: D)',
    ])
    expect(rooda.hasState()).toBe(false)
  })

  test('2. consecutive failure abort', async () => {
    const rooda = newRooda({ agent: fails(4, 5, 6) })
    const { code, out } = await rooda.run('build', '--max-iterations', '10', '--trust')
    expect(code).toBe(20)
    expect(words(out).slice(7)).toEqual([
      '[T] Iteration 4/10 starting...',
      '[T] WARNING: AI CLI failed (exit 1), consecutive failures: 1/3',
      '[T] Iteration 4/10 completed in D',
      '[T] Iteration 5/10 starting...',
      '[T] WARNING: AI CLI failed (exit 1), consecutive failures: 2/3',
      '[T] Iteration 5/10 completed in D',
      '[T] Iteration 6/10 starting...',
      '[T] WARNING: AI CLI failed (exit 1), consecutive failures: 3/3',
      '[T] ERROR: Aborting after 3 consecutive failures (6 iterations completed, total: D)',
    ])
    expect(rooda.state()).toMatchObject({ status: 'aborted', iteration: 6 })
  })

  test('3. resume after interruption', async () => {
    const rooda = newRooda({ agent: hangsIn(5) })
    const terminal = rooda.terminal('build', '--max-iterations', '10', '--trust')
    await until(() => terminal.text().includes('Iteration 5/10 starting...'), 'iteration 5')
    await agentSpeaks(rooda, 5)
    await twice(terminal)
    const { text } = await terminal
    const [last] = words(text.slice(text.lastIndexOf('[', text.lastIndexOf('Interrupted.'))))
    expect(last).toBe('[T] Interrupted. State saved. Resume with: rooda resume build')
    expect(rooda.state()).toMatchObject({ status: 'interrupted', iteration: 5 })
    const { out } = await rooda.run('resume', 'build')
    expect(words(out).slice(0, 3)).toEqual([
      '[T] Resuming procedure: build from iteration 5 (max 10)',
      '[T] Previous session: 4 completed, 1 interrupted, in D',
      '[T] Iteration 6/10 starting...',
    ])
  })

  test('4. dry-run mode', async () => {
    const rooda = newRooda({ procedure: { agent: undefined, ai_cmd: 'cat --no-interactive', observe: ['observe.md'] } })
    fs.writeFileSync(join(rooda.workspace, 'observe.md'), 'contents of observe prompt file\n')
    const { code, out } = await rooda.run('build', '--dry-run')
    expect(code).toBe(0)
    expect(out.replace(/~\d+/, '~N')).toBe(
      [
        '[DRY RUN] Procedure: build',
        '[DRY RUN] Would execute with: cat --no-interactive',
        '[DRY RUN] Token count: ~N / 100,000 budget',
        '',
        '# OODA Loop Iteration',
        '',
        '## OBSERVE',
        '',
        'contents of observe prompt file',
        '',
        '## ORIENT',
        '',
        'think',
        '',
        '## DECIDE',
        '',
        'choose',
        '',
        '## ACT',
        '',
        'do it',
        '',
      ].join('\n'),
    )
  })

  test('5. unlimited iterations with recovery', async () => {
    const rooda = newRooda({ agent: [...fails(3).slice(0, 1), ...hangsIn(5)], config: { default_iterations: 0 } })
    const run = rooda.start('build', '--trust')
    await until(() => run.said().includes('Iteration 5 starting...'), 'iteration 5')
    run.child.kill('SIGTERM')
    expect(words((await run).out).slice(0, 11)).toEqual([
      '[T] Starting procedure: build (unlimited iterations)',
      '[T] Iteration 1 starting...',
      '[T] Iteration 1 completed in D',
      '[T] Iteration 2 starting...',
      '[T] Iteration 2 completed in D',
      '[T] Iteration 3 starting...',
      '[T] WARNING: AI CLI failed (exit 1), consecutive failures: 1/3',
      '[T] Iteration 3 completed in D',
      '[T] Iteration 4 starting...',
      '[T] Iteration 4 completed in D',
      '[T] Iteration 5 starting...',
    ])
  })
})

/** Two presses that the program takes for two: it takes those within a quarter of a second for one gesture. */
async function twice(terminal: ReturnType<typeof inTerminal>): Promise<void> {
  const before = terminal.text().length
  terminal.type('\x03')
  await until(() => terminal.text().slice(before).includes('Ctrl-C again'), 'the first is heard')
  const pressed = performance.now()
  await until(() => performance.now() - pressed > 300, 'another gesture')
  terminal.type('\x03')
}

/** Processes that this run has left behind. */
function stillThere(dir: string): string[] {
  const run = dir.split('/').at(-1)!
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PAWL_SCOPE=${run}`)
    } catch {
      return false
    }
  })
}

const stateOf = (status: string) => ({
  iteration: 1,
  max_iterations: 10,
  consecutive_failures: 0,
  failure_threshold: 3,
  started_at: '2026-02-06T10:00:00Z',
  last_iteration_at: '2026-02-06T10:05:32Z',
  status,
  procedure_name: 'build',
  elapsed_per_iteration: ['45.2s'],
})

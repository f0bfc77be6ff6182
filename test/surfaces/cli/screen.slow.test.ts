import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTerminal } from '../terminal/terminal.ts'
import { newWorkspace, until } from './pawl.ts'
import { atTerminal } from './pseudo-terminal.ts'

const esc = '\u001b'

/** What stands on a terminal of this size when the program has said all this. */
function seen(said: string, columns = 80): string[] {
  const terminal = createTerminal(columns, 24)
  terminal.write(said)
  return terminal.text()
}

const withoutTimes = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^\[[\d:]+\] /, '').replace(/\d+\.\ds/, 'Ns'))

const twoIterations = [
  'Bounds: at most 2 iterations.',
  'Starting procedure: build (max 2 iterations)',
  'Iteration 1/2 starting...',
  'Iteration 1/2 completed in Ns',
  'Iteration 2/2 starting...',
  'Iteration 2/2 completed in Ns',
  'Reached max iterations: 2 (total: Ns)',
  '',
]

test('at a terminal finished lines stand there once and in order, and nothing is left of the live ones', async () => {
  const agent = [
    { delay_ms: 250, output: 'reading 漢字 👍\n', silent_ms: 300, usage: { tokens: 1200, cost_usd: 0.02 } },
  ]
  const pawl = newWorkspace({ agent, procedure: { gates: ['sleep 0.3'] } })
  const run = atTerminal(pawl, ['run', 'build', '-n', '2', '--trust'])
  expect(await run.ended).toBe(0)
  const said = run.said()
  for (const shown of [
    '1/2: agent, 0s',
    'last output 0s ago: reading 漢字 👍',
    'gate `sleep 0.3`',
    '1,200 tokens, $0.02',
  ])
    expect(said).toContain(shown)
  expect(withoutTimes(seen(said))).toEqual(twoIterations)
  expect(said).not.toContain(`${esc}[?1049`)
  expect(said).not.toContain(`${esc}[2J`)
})

test.each([
  ['--plain', ['--plain'], {}],
  ['ACCESSIBLE', [], { ACCESSIBLE: '1' }],
  ['CI', [], { CI: 'true' }],
  ['TERM=dumb', [], { TERM: 'dumb' }],
  ['-q', ['-q'], {}],
  ['--json', ['--json'], {}],
])('with %s there is no escape sequence, also at a terminal', async (_, words, env) => {
  const pawl = newWorkspace({ agent: [{ delay_ms: 300, output: 'x\n' }] })
  const run = atTerminal(pawl, ['run', 'build', '-n', '2', '--trust', ...words], { env })
  expect(await run.ended).toBe(0)
  expect(run.said()).not.toContain(esc)
})

test('an idle second costs under 200 bytes, and nothing is drawn that did not change', async () => {
  const pawl = newWorkspace({ agent: [{ output: `${'long words '.repeat(20)}\n`, silent_ms: 4200 }] })
  const run = atTerminal(pawl, ['run', 'build', '-n', '1', '--trust'], { columns: 120 })
  await until(() => run.said().includes('long words'), 'the first output')
  const from = run.chunks.length
  expect(await run.ended).toBe(0)
  const idle = run.chunks.slice(from).filter(({ text }) => !text.includes('\n'))
  const bytes = idle.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  expect(idle.length).toBeGreaterThan(1)
  expect(idle.length).toBeLessThan(12)
  expect(bytes / 4).toBeLessThan(200)
})

test('what an agent prints cannot move the cursor, clear the screen or set the title', async () => {
  const output = `${esc}[2J${esc}[H${esc}]0;owned\u0007${esc}]52;c;aGk=\u0007\u009b5A\r\u0008evil ${'x'.repeat(5000)}\n`
  const pawl = newWorkspace({ agent: [{ output, silent_ms: 400 }] })
  const run = atTerminal(pawl, ['run', 'build', '-n', '2', '--trust', '-v'])
  expect(await run.ended).toBe(0)
  const said = run.said()
  expect(said).toContain('evil')
  for (const attack of [`${esc}[2J`, `${esc}[H`, `${esc}]0`, `${esc}]52`, '\u009b', '\u0008'])
    expect(said).not.toContain(attack)
  // The small terminal throws on whatever the program has no business to send.
  const finished = withoutTimes(seen(said, 5000)).filter((line) => !line.includes('|'))
  expect(finished).toEqual(twoIterations)
})

test('in twenty columns no live line is broken, and everything is gone in the end', async () => {
  const agent = [{ output: `${'漢字'.repeat(300)}\n`, silent_ms: 1300 }]
  const pawl = newWorkspace({ agent })
  const run = atTerminal(pawl, ['run', 'build', '-n', '1', '--trust'], { columns: 20 })
  expect(await run.ended).toBe(0)
  const text = seen(run.said(), 20).join('')
  expect(run.said()).toContain('last output 0s ago…')
  expect(text).not.toContain('last output')
  expect(text).toMatch(/Iteration 1\/1 starting\.\.\.\[.*Iteration 1\/1 completed in/)
})

test('a terminal that is resized is drawn anew at its new width', async () => {
  const pawl = newWorkspace({ agent: [{ output: `${'abcdefghi '.repeat(20)}\n`, silent_ms: 60_000 }] })
  const run = atTerminal(pawl, ['run', 'build', '-n', '1', '--trust'])
  await until(() => run.said().includes('abcdefghi'), 'the first output')
  const before = run.said().length
  execFileSync('stty', ['-F', run.device(), 'cols', '44'])
  await until(() => run.said().slice(before).includes('…'), 'the narrower line')
  const line = /last output \d+s ago: .*…/.exec(run.said().slice(before))![0]
  expect(line).toHaveLength(43)
  run.type('\u0003')
  await until(() => run.said().includes('Stopping after this step'), 'the first Ctrl-C')
  await delay(300) // Presses within 250 ms are one gesture.
  run.type('\u0003')
  expect(await run.ended).toBe(130)
  const end = seen(run.said().slice(run.said().lastIndexOf('Stopping after')), 44)
  expect(end.slice(0, 2)).toEqual(['Stopping after this step. Press Ctrl-C again', ' to stop now.'])
  expect(end.slice(2).join(' ')).toMatch(/^\[[\d:]+\] Interrupted. State saved. Resume with: pawl resume build $/)
})

test.each(['SIGTERM', 'SIGHUP', 'three Ctrl-C'] as const)('%s takes the live lines away', async (how) => {
  const pawl = newWorkspace({ agent: [{ ignore: ['SIGINT', 'SIGTERM'], output: 'working\n', silent_ms: 60_000 }] })
  const run = atTerminal(pawl, ['run', 'build', '-n', '1', '--trust'])
  await until(() => run.said().includes('last output'), 'the live lines')
  if (how === 'three Ctrl-C') {
    for (let press = 0; press < 3; press++) {
      run.type('\u0003')
      await delay(300) // Presses within 250 ms are one gesture.
    }
  } else process.kill(ownerOf(pawl), how)
  await run.ended
  expect(seen(run.said()).join('\n')).not.toMatch(/last output|Iteration 1\/1: agent/)
})

test('with -v every line of the agent is printed, and of very many only some', async () => {
  const agent = [{ when: { task: 'iteration-1' }, output: 'first\nsecond\n' }, { bytes: 20_000_000 }]
  const pawl = newWorkspace({ agent, procedure: { gates: ['true'] } })
  const ended = await pawl.run('run', 'build', '-n', '2', '--trust', '-v')
  expect(ended.code).toBe(0)
  expect(ended.out).toMatch(/Iteration 1\/2 starting\.\.\.\n {2}\| first\n {2}\| second\n {2}\| gate: true\n/)
  expect(ended.out).toMatch(/ {2}\| … \d+ lines left out\n/)
  expect(ended.out.length).toBeLessThan(200_000)
  expect(ended.out).not.toContain(esc)
})

const ownerOf = (pawl: ReturnType<typeof newWorkspace>): number =>
  JSON.parse(readFileSync(join(pawl.dirOf(), 'lease-1'), 'utf8')).pid

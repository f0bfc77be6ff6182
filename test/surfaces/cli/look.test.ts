import { execFileSync } from 'node:child_process'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { ended, gateFailed, iteration, passed } from '../../support/written-events.ts'
import { newWorkspace } from './pawl.ts'
import { atTerminal } from './pseudo-terminal.ts'
import { writeRun } from './written-run.ts'

const esc = '\u001b'
const facts = [
  ...iteration(1, passed(1), { tokens: 1200, costUsd: 0.02, data: { changed: true } }),
  ...iteration(2, gateFailed(0, 1), { data: { changed: false, denied: 2 } }),
  ...ended('failed', { code: 'max_iterations', iterations: 2 }, 'tasks'),
]
const gates = ['npm run a-script-with-a-rather-long-name -- --and --many --flags']

function workspace(env: Record<string, string> = {}) {
  const pawl = newWorkspace({ env })
  execFileSync('git', ['init', '-q'], { cwd: pawl.workspace })
  writeRun(pawl.workspace, facts, { gates, caps: { tasks: 2 } })
  return pawl
}

test('times are local everywhere, and the zone is named once', async () => {
  const pawl = workspace({ TZ: 'Asia/Kolkata' })
  const { out } = await pawl.run('show')
  // 22:00 UTC is 3:30 in the morning of the next day there.
  expect(out).toContain('2026-02-15 03:30 to 2026-02-15 03:36 UTC+5:30, ')
  expect(out).toContain('2026-02-15 03:36\n')
  expect(out.match(/UTC/g)).toHaveLength(1)
  expect((await pawl.run('ls')).out).toMatch(/STARTED \(UTC\+5:30\)\n.* 2026-02-15 03:30\n$/)
  expect((await pawl.run('logs')).out).toMatch(/^\[03:30:00\] Starting procedure/)
  const json = JSON.parse((await pawl.run('ls', '--json')).out) as { runs: { created: string }[] }
  expect(json.runs[0]!.created).toBe('2026-02-14T22:00:00.000Z')
  expect((await pawl.run('logs', '--json')).out).toContain('"timestamp":"2026-02-14T22:00:00.000Z"')
})

test('colour marks status, at a terminal and where it is asked for, and never in JSON', async () => {
  const pawl = workspace()
  const red = `${esc}[31mfailed: `
  const shown = async (words: readonly string[], env: Record<string, string> = {}): Promise<string> => {
    Object.assign(pawl.env, { NO_COLOR: '', FORCE_COLOR: '', ...env })
    return (await pawl.run(...words)).out
  }
  expect(await shown(['show'])).not.toContain(esc)
  expect(await shown(['show', '--color', 'always'])).toContain(red)
  expect(await shown(['show'], { FORCE_COLOR: '1' })).toContain(red)
  expect(await shown(['--color=always', 'why'])).toContain(red)
  expect(await shown(['ls', '--color', 'always'])).toContain(`${esc}[31mfailed${esc}[0m`)
  expect(await shown(['show', '--color', 'never'], { FORCE_COLOR: '1' })).not.toContain(esc)
  expect(await shown(['show', '--json', '--color', 'always'])).not.toContain(esc)
  const at = async (env: Record<string, string>, ...words: string[]): Promise<string> => {
    const run = atTerminal(pawl, ['show', ...words], { env })
    expect(await run.ended).toBe(0)
    return run.said()
  }
  expect(await at({})).toContain(red)
  expect(await at({ NO_COLOR: '1' })).not.toContain(esc)
  expect(await at({}, '--color', 'never')).not.toContain(esc)
  const refused = await pawl.run('show', '--color', 'blue')
  expect([refused.code, refused.err.split('\n')[0]]).toEqual([
    2,
    "pawl: option '--color <when>' argument 'blue' is invalid. Allowed choices are auto, always, never.",
  ])
})

test.each([40, 60, 80])('in %i columns the tables of show and ls fit', async (columns) => {
  const pawl = workspace()
  for (const command of ['ls', 'show']) {
    const run = atTerminal(pawl, [command, '--color', 'never'], { columns })
    expect(await run.ended).toBe(0)
    const lines = run.said().trimEnd().split('\r\n')
    const table = command === 'ls' ? lines : lines.filter((line) => /^ {2}(?:TASK|iteration-|failed|passed)/.test(line))
    expect(table.length).toBeGreaterThan(1)
    for (const line of table) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
    expect(table.join('\n')).toContain('failed')
  }
})

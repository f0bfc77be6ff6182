import { expect, test } from 'vitest'
import { createAgentOutput, renderLive } from '../../../src/surfaces/terminal/display.ts'

const rendering = { program: 'pawl', cwd: '/repo', now: 0, ticks: true } as const

test('bounds are bars: what was begun shows, only what is spent is full, and a mark is where something else happens', () => {
  const bound = { cap: 'tokens', name: 'tokens', used: 1, of: 1000, unit: 'tokens' } as const
  const bounds = [
    { ...bound, cap: 'attemptsPerRun', name: 'iterations', used: 2, of: 7, unit: 'count' } as const,
    { ...bound, soft: { from: 500, says: 'a stronger model' } },
    { ...bound, used: 999, atLeast: true as const },
    { ...bound, used: 1000 },
    { ...bound, used: 0, of: 0 },
  ]
  const line = renderLive({ doing: ['x'], bounds, brief: [] }, rendering)[1]!.text
  expect(line.split('  ')).toEqual([
    'iterations [###.....] 2/7',
    'tokens [#...|...] 0%',
    'tokens [#######.] >=99%',
    'tokens [########] 100%',
    'tokens [########] 100%',
  ])
})

test('what agents say is as much as a person can read, and how much was left out', () => {
  const output = createAgentOutput()
  expect(output.take(false)).toEqual([])
  for (let n = 0; n < 1_000_000; n++) output.add({ phase: 'agent', says: `line ${n}` })
  const lines = output.take(false)
  expect(lines).toHaveLength(21)
  expect([lines[0], lines[19], lines[20]]).toEqual(['  | line 0', '  | line 19', '  | … 999980 lines left out'])
  output.add({ phase: 'gate', says: 'npm test' })
  expect(output.take(true)).toEqual([])
  expect(output.take(false)).toEqual(['  | … 1 line left out'])
  output.add({ phase: 'agent', says: 'x'.repeat(1_000_000) })
  expect(output.take(false)[0]!.length).toBeLessThan(2100)
})

import { expect } from 'vitest'
import { refineReasons } from '../../../../src/modes/refinement/contract/reasons.ts'
import { type Expected, expectedOf, type Row } from './fault-table.ts'
import { faultAt, type Played, type Preset, play, torn } from './hostile-play.ts'

/** Plays each row, so many at a time, and tells together what was not as the rules say. */
export async function checkRows(
  preset: Preset,
  rows: readonly Row[],
  { atOnce, config }: { atOnce: number; config: (row: Row) => object },
): Promise<void> {
  const left = [...rows]
  const wrong: string[] = []
  const work = async (): Promise<void> => {
    for (let row = left.shift(); row; row = left.shift()) {
      await check(preset, row, config(row)).catch((error: Error) => wrong.push(error.message))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  expect(wrong).toEqual([])
}

async function check(preset: Preset, row: Row, config: object): Promise<void> {
  const played = await play(faultAt(row.fault, row.spot, row.when), {
    preset,
    // Calibrating the judge takes a dozen calls: only where it is what goes wrong.
    config: { ...config, ...(row.spot !== 'calibrating' && { calibrates: 'never' }) },
    ...(row.spot === 'single shot' && { score: 75 }),
  })
  hold(played, expectedOf(preset, row), `${preset}: ${row.fault} in ${row.spot}, ${row.when}`, row)
}

function hold({ refined, log, calls, waits }: Played, { reason, most }: Expected, about: string, row: Row): void {
  expect([reason].flat(), about).toContain(refined.reason)
  expect(calls[row.spot], about).toBeLessThanOrEqual(most)
  const passed = refineReasons[refined.reason as keyof typeof refineReasons] === 0
  expect(refined.status, about).toBe(passed ? 'completed' : 'aborted')
  if (passed) expect(refined.score, about).toBeGreaterThanOrEqual(80)
  // Nothing that was cut off is ever taken for a text, and nothing that was good is lost.
  if (row.fault !== 'held-open') expect([refined.output, refined.partial_output], about).not.toContain(torn)
  const scored = refined.iterations.filter(({ score }) => score !== null)
  if (scored.length > 0) expect(refined.output ?? refined.partial_output, about).not.toBeNull()
  expect(refined.warning === null, about).toBe(passed)
  // Between two calls that failed there is a wait, but for one: a judge that cannot be read is asked again at once, as is another rung.
  for (const ms of waits) expect([0, 150, 300].includes(ms) || ms > 300, `${about}: ${ms}`).toBe(true)
  expect(log[0]!.event, about).toBe('start')
  expect(log.at(-1)!.event, about).toBe(passed ? 'completion' : 'abort')
  expect(log.filter(({ event }) => event === 'score').length, about).toBe(scored.length)
}

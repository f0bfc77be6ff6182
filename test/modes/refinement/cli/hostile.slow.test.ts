import { test } from 'vitest'
import { sampled } from '../../../support/sample.ts'
import { checkRows } from './check-rows.ts'
import { type Row, slowFaults } from './fault-table.ts'
import type { Preset, Spot } from './hostile-play.ts'

/** Only where something is to be waited for. */
const within = (ms: number): object => ({
  silenceMs: ms,
  stepLimits: { decomposeMs: 2 * ms, generateMs: 2 * ms, judgeMs: 2 * ms, pruneMs: 200 },
})
const long = { silenceMs: 20_000 }

const places: readonly [Preset, Spot][] = [
  ['sap-0020', 'writing'],
  ['sap-0010', 'planning'],
  ['sap-0010', 'judging'],
  ['standard', 'calibrating'],
]

test.each(sampled(places, 4))(
  // A machine that does much else at the same time may need another try.
  '%s: whoever stalls, trickles or never ends in %s',
  { retry: 2 },
  async (preset, spot) => {
    const rows = (['first', 'always'] as const).flatMap((when) =>
      Object.entries(slowFaults).map(([fault, kind]) => ({ fault, kind, spot, when }) as Row),
    )
    // One that stalls once is followed by calls that are to succeed, on a slow machine as well.
    const config = ({ fault, when }: Row): object =>
      fault.startsWith('endless') ? long : within(when === 'first' ? 3000 : 250)
    await checkRows(preset, rows, { atOnce: 6, config })
  },
)
